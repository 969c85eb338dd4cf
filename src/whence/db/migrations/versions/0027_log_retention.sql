-- Retention of the logs: tool_calls, model_calls and audit_log grew for ever.  As with the other
-- prune functions, their owner may look across organizations only at what may go.

CREATE INDEX tool_calls_at ON whence.tool_calls (at);
CREATE INDEX model_calls_at ON whence.model_calls (at);
CREATE INDEX audit_log_at ON whence.audit_log (at);

-- The log of a run that goes on says which of its tools that write have done so.
CREATE FUNCTION whence.is_over(org uuid, work uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT NOT EXISTS (SELECT FROM whence.work w WHERE w.org_id = org AND w.id = work
        AND w.status IN ('pending', 'running', 'paused'))
$$;
CREATE POLICY retention ON whence.tool_calls TO CURRENT_USER USING (whence.is_over(org_id, run_id));
CREATE POLICY retention ON whence.model_calls TO CURRENT_USER USING (at < now() - interval '1 day');
-- Whatever is set, nobody loses the log of the last thirty days.
CREATE POLICY retention ON whence.audit_log TO CURRENT_USER USING (at < now() - interval '30 days');

CREATE FUNCTION whence.prune_tool_calls(made_before timestamptz, most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n int;
BEGIN
    WITH due AS (
        SELECT org_id, id FROM whence.tool_calls c
            WHERE at < made_before AND whence.is_over(c.org_id, c.run_id)
            ORDER BY at LIMIT most FOR UPDATE SKIP LOCKED
    )
    DELETE FROM whence.tool_calls c USING due WHERE c.org_id = due.org_id AND c.id = due.id;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

CREATE FUNCTION whence.prune_model_calls(made_before timestamptz, most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n int;
BEGIN
    WITH due AS (
        SELECT org_id, id FROM whence.model_calls
            WHERE at < least(made_before, now() - interval '1 day') ORDER BY at LIMIT most FOR UPDATE SKIP LOCKED
    )
    DELETE FROM whence.model_calls c USING due WHERE c.org_id = due.org_id AND c.id = due.id;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

CREATE FUNCTION whence.prune_audit_log(written_before timestamptz, most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n int;
BEGIN
    WITH due AS (
        SELECT org_id, id FROM whence.audit_log
            WHERE at < least(written_before, now() - interval '30 days') ORDER BY at LIMIT most FOR UPDATE SKIP LOCKED
    )
    DELETE FROM whence.audit_log a USING due WHERE a.org_id = due.org_id AND a.id = due.id;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

REVOKE EXECUTE ON FUNCTION whence.prune_tool_calls(timestamptz, int),
    whence.prune_model_calls(timestamptz, int), whence.prune_audit_log(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.prune_tool_calls(timestamptz, int),
    whence.prune_model_calls(timestamptz, int), whence.prune_audit_log(timestamptz, int) TO whence_app;
