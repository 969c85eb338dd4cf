-- Retention of what imports keep of their rows, which grew for ever.  As with the other prune
-- functions, their owner may look across organizations only at what may go.

CREATE INDEX imports_ended ON whence.imports (ended_at) WHERE ended_at IS NOT NULL;

CREATE FUNCTION whence.import_is_over(org uuid, import uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM whence.imports i
        WHERE i.org_id = org AND i.id = import AND i.ended_at IS NOT NULL)
$$;
CREATE POLICY retention ON whence.import_rows TO CURRENT_USER
    USING (whence.import_is_over(org_id, import_id));
CREATE POLICY retention ON whence.import_problems TO CURRENT_USER
    USING (whence.import_is_over(org_id, import_id));

-- A hundred rows for each of `most`, of one import: a row is small, and a file has a million of them.
-- Refusals and warnings go only after the rows, by which an erasure finds those of a record.
CREATE FUNCTION whence.prune_import_rows(ended_before timestamptz, most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n int;
BEGIN
    WITH due AS (
        SELECT i.org_id, i.id FROM whence.imports i
            WHERE i.ended_at < ended_before AND EXISTS (SELECT FROM whence.import_rows r
                WHERE r.org_id = i.org_id AND r.import_id = i.id)
            ORDER BY i.ended_at LIMIT 1
    ), gone AS (
        SELECT r.org_id, r.import_id, r.external_id FROM whence.import_rows r
            JOIN due ON due.org_id = r.org_id AND due.id = r.import_id
            ORDER BY r.external_id LIMIT most * 100 FOR UPDATE OF r SKIP LOCKED
    )
    DELETE FROM whence.import_rows r USING gone
        WHERE r.org_id = gone.org_id AND r.import_id = gone.import_id AND r.external_id = gone.external_id;
    GET DIAGNOSTICS n = ROW_COUNT;
    IF n > 0 THEN
        RETURN n;
    END IF;
    WITH gone AS (
        SELECT p.org_id, p.import_id, p.ordinal FROM whence.import_problems p
            JOIN whence.imports i ON i.org_id = p.org_id AND i.id = p.import_id
            WHERE i.ended_at < ended_before AND NOT EXISTS (SELECT FROM whence.import_rows r
                WHERE r.org_id = i.org_id AND r.import_id = i.id)
            LIMIT most * 100 FOR UPDATE OF p SKIP LOCKED
    )
    DELETE FROM whence.import_problems p USING gone
        WHERE p.org_id = gone.org_id AND p.import_id = gone.import_id AND p.ordinal = gone.ordinal;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

REVOKE EXECUTE ON FUNCTION whence.prune_import_rows(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.prune_import_rows(timestamptz, int) TO whence_app;
