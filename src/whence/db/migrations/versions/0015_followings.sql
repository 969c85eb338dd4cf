-- As before, but for those that the asking process follows already: however many runs wait for a
-- person, the next one is found as well.  Processes of the version before still ask without.
CREATE FUNCTION whence.open_followings(known uuid[])
RETURNS TABLE (org_id uuid, id uuid, run_id uuid, told_seq bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT f.org_id, f.id, f.run_id, f.told_seq FROM whence.chat_followings f
        WHERE f.done_at IS NULL AND f.id <> ALL (known) ORDER BY f.created_at LIMIT 1000;
END $$;

REVOKE EXECUTE ON FUNCTION whence.open_followings(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.open_followings(uuid[]) TO whence_app;
