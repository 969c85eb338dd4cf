-- Jobs that ended were kept for ever.  Runs of research stay: their dossiers belong to them.
CREATE INDEX jobs_ended ON whence.work (completed_at)
    WHERE type <> 'research' AND status IN ('success', 'error', 'cancelled');

-- As with events: the owner of these functions may look across organizations only at what may go.
CREATE POLICY retention ON whence.streams TO CURRENT_USER USING (EXISTS (
    SELECT FROM whence.work w WHERE w.org_id = streams.org_id AND w.id = streams.stream_id
    AND w.type <> 'research' AND w.status IN ('success', 'error', 'cancelled')));

CREATE FUNCTION whence.prune_jobs(ended_before timestamptz, most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n int;
BEGIN
    WITH due AS (
        SELECT org_id, id FROM whence.work
            WHERE type <> 'research' AND status IN ('success', 'error', 'cancelled')
            AND completed_at < ended_before
            ORDER BY completed_at LIMIT most FOR UPDATE SKIP LOCKED
    ), events AS (
        DELETE FROM whence.events e USING due WHERE e.org_id = due.org_id AND e.stream_id = due.id
    ), streams AS (
        DELETE FROM whence.streams s USING due WHERE s.org_id = due.org_id AND s.stream_id = due.id
    )
    DELETE FROM whence.work w USING due WHERE w.org_id = due.org_id AND w.id = due.id;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

REVOKE EXECUTE ON FUNCTION whence.prune_jobs(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.prune_jobs(timestamptz, int) TO whence_app;
