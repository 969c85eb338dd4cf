-- Requests to cancel.  A write of the work holds the work's row, for seconds where it is a long one:
-- whoever cancels must not wait for that.  The request is a row of its own, which the next fence
-- sees; the work's row is ended once it is free.

CREATE TABLE whence.cancel_requests (
    org_id       uuid NOT NULL,
    -- Of a unit of work, or of an import.
    id           uuid NOT NULL,
    requested_by uuid NOT NULL,
    at           timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, id)
);
SELECT whence.protect('whence.cancel_requests', 'SELECT, INSERT, DELETE');

CREATE OR REPLACE FUNCTION whence.fence(org uuid, run uuid, token int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE w record;
BEGIN
    PERFORM set_config('whence.org_id', org::text, true);
    SELECT attempt, status INTO w FROM whence.work WHERE org_id = org AND id = run FOR NO KEY UPDATE;
    IF NOT FOUND OR w.attempt <> token OR w.status <> 'running'
        OR EXISTS (SELECT FROM whence.cancel_requests WHERE org_id = org AND id = run) THEN
        RAISE EXCEPTION 'stale attempt % of work %', token, run USING ERRCODE = 'WH001';
    END IF;
END $$;

-- The work that is still to be ended; requests for work that is over go.
CREATE POLICY over ON whence.cancel_requests FOR DELETE TO CURRENT_USER USING (true);
CREATE FUNCTION whence.cancel_requests_due() RETURNS TABLE (org_id uuid, id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM whence.cancel_requests c
        WHERE NOT EXISTS (SELECT FROM whence.work w WHERE w.org_id = c.org_id AND w.id = c.id
            AND w.status IN ('pending', 'running', 'paused'))
        AND NOT EXISTS (SELECT FROM whence.imports i WHERE i.org_id = c.org_id AND i.id = c.id
            AND i.status IN ('waiting', 'running'));
    RETURN QUERY SELECT c.org_id, c.id FROM whence.cancel_requests c
        JOIN whence.work w ON w.org_id = c.org_id AND w.id = c.id;
END $$;

REVOKE EXECUTE ON FUNCTION whence.cancel_requests_due() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.cancel_requests_due() TO whence_app;
