-- The undo of an import is work of its own: how far it is, for whom it acts, and how it ended.
ALTER TABLE whence.imports
    ADD COLUMN undo_status text
        CHECK (undo_status IN ('waiting', 'running', 'done', 'stopped', 'failed')),
    ADD COLUMN undo_total bigint NOT NULL DEFAULT 0,
    ADD COLUMN undo_deleted bigint NOT NULL DEFAULT 0,
    ADD COLUMN undo_restored bigint NOT NULL DEFAULT 0,
    ADD COLUMN undo_kept bigint NOT NULL DEFAULT 0,
    ADD COLUMN undo_error text,
    ADD COLUMN undo_tries int NOT NULL DEFAULT 0,
    ADD COLUMN undo_by uuid,
    ADD COLUMN undo_scopes text[] NOT NULL DEFAULT '{}',
    ADD COLUMN undo_cancelled_by uuid;

-- Undos from before: whole ones, and those that were cut off in the middle.  Forced row-level
-- security would hide the rows from an owner that is no superuser; it is forced again in the same
-- transaction.
ALTER TABLE whence.imports NO FORCE ROW LEVEL SECURITY;
ALTER TABLE whence.import_rows NO FORCE ROW LEVEL SECURITY;
WITH undone AS (
    SELECT org_id, import_id,
        count(*) FILTER (WHERE outcome IN ('added', 'updated') AND record_id IS NOT NULL) AS total,
        count(*) FILTER (WHERE undone ->> 'result' = 'deleted') AS deleted,
        count(*) FILTER (WHERE undone ->> 'result' = 'restored') AS restored,
        count(*) FILTER (WHERE undone ->> 'result' = 'kept') AS kept
    FROM whence.import_rows GROUP BY 1, 2 HAVING count(undone) > 0
)
UPDATE whence.imports i SET undo_status = 'stopped', undo_total = u.total,
    undo_deleted = u.deleted, undo_restored = u.restored, undo_kept = u.kept
FROM undone u WHERE u.org_id = i.org_id AND u.import_id = i.id;
UPDATE whence.imports SET undo_status = 'done' WHERE undone_at IS NOT NULL;
ALTER TABLE whence.imports FORCE ROW LEVEL SECURITY;
ALTER TABLE whence.import_rows FORCE ROW LEVEL SECURITY;

-- The rows of an import that is being undone stay until the undo has ended.
CREATE OR REPLACE FUNCTION whence.import_is_over(org uuid, import uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM whence.imports i
        WHERE i.org_id = org AND i.id = import AND i.ended_at IS NOT NULL
        AND coalesce(i.undo_status, 'done') NOT IN ('waiting', 'running'))
$$;
