-- What a run sent to a model and what the model answered, for people who look at the run.  It is kept
-- for less time than the log of calls, and not at all where the operator says so.
CREATE TABLE whence.model_exchanges (
    org_id       uuid NOT NULL DEFAULT whence.current_org(),
    call_id      uuid NOT NULL,
    run_id       uuid NOT NULL,
    messages     jsonb NOT NULL,
    answer       text,
    is_shortened boolean NOT NULL,
    at           timestamptz NOT NULL,
    PRIMARY KEY (org_id, call_id)
);
CREATE INDEX model_exchanges_of_run ON whence.model_exchanges (org_id, run_id);
CREATE INDEX model_exchanges_at ON whence.model_exchanges (at);
SELECT whence.protect('whence.model_exchanges', 'SELECT, INSERT');

CREATE POLICY retention ON whence.model_exchanges TO CURRENT_USER USING (true);

CREATE FUNCTION whence.prune_model_exchanges(made_before timestamptz, most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n int;
BEGIN
    WITH due AS (
        SELECT org_id, call_id FROM whence.model_exchanges
            WHERE at < made_before ORDER BY at LIMIT most FOR UPDATE SKIP LOCKED
    )
    DELETE FROM whence.model_exchanges e USING due
        WHERE e.org_id = due.org_id AND e.call_id = due.call_id;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

REVOKE EXECUTE ON FUNCTION whence.prune_model_exchanges(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.prune_model_exchanges(timestamptz, int) TO whence_app;
