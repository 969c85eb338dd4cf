-- Guided forms that are over: kept for a while, then removed with their answers.

CREATE INDEX wizard_runs_over ON whence.wizard_runs (least(ended_at, expires_at));

-- As for runs of research: the owner of the function may look across organizations, and only at
-- what is over.
CREATE POLICY retention ON whence.wizard_runs TO CURRENT_USER
    USING (least(ended_at, expires_at) < now());

-- Remove at most `most` runs that ended or expired before `over_before`; how many there were.
CREATE FUNCTION whence.prune_wizards(over_before timestamptz, most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n int;
BEGIN
    WITH due AS (
        SELECT org_id, id FROM whence.wizard_runs
            WHERE least(ended_at, expires_at) < over_before
            AND least(ended_at, expires_at) < now()
            ORDER BY least(ended_at, expires_at) LIMIT most FOR UPDATE SKIP LOCKED
    )
    DELETE FROM whence.wizard_runs r USING due WHERE r.org_id = due.org_id AND r.id = due.id;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;
REVOKE EXECUTE ON FUNCTION whence.prune_wizards(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.prune_wizards(timestamptz, int) TO whence_app;

-- The runs about a record, and those of a conversation, go with it.
CREATE INDEX wizard_runs_of_record ON whence.wizard_runs (org_id, subject_id)
    WHERE subject_id IS NOT NULL;
