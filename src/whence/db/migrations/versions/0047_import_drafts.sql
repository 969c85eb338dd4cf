-- Uploaded files that are looked at before they are imported, and the columns chosen for them.

ALTER TABLE whence.imports ADD COLUMN mapping jsonb NOT NULL DEFAULT '{}';
ALTER TABLE whence.imports DROP CONSTRAINT imports_status_check;
ALTER TABLE whence.imports ADD CONSTRAINT imports_status_check
    CHECK (status IN ('draft', 'waiting', 'running', 'done', 'failed', 'cancelled'));

-- A draft goes with its file; an import that ended early keeps its file for a while, to be resumed.
CREATE INDEX imports_with_file ON whence.imports (coalesce(ended_at, created_at))
    WHERE file IS NOT NULL;
CREATE POLICY retention ON whence.imports TO CURRENT_USER
    USING (status NOT IN ('waiting', 'running'));
CREATE FUNCTION whence.prune_import_files(before timestamptz, most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n int; m int;
BEGIN
    WITH due AS (
        SELECT org_id, id FROM whence.imports
            WHERE file IS NOT NULL AND status NOT IN ('draft', 'waiting', 'running')
            AND coalesce(ended_at, created_at) < before LIMIT most FOR UPDATE SKIP LOCKED
    )
    UPDATE whence.imports i SET file = NULL FROM due
        WHERE i.org_id = due.org_id AND i.id = due.id;
    GET DIAGNOSTICS n = ROW_COUNT;
    WITH due AS (
        SELECT org_id, id FROM whence.imports
            WHERE status = 'draft' AND created_at < before LIMIT most FOR UPDATE SKIP LOCKED
    )
    DELETE FROM whence.imports i USING due WHERE i.org_id = due.org_id AND i.id = due.id;
    GET DIAGNOSTICS m = ROW_COUNT;
    RETURN n + m;
END $$;

REVOKE EXECUTE ON FUNCTION whence.prune_import_files(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.prune_import_files(timestamptz, int) TO whence_app;
