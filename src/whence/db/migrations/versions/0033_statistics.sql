-- The planner's statistics of tables that an import fills.  Autovacuum takes them minutes later; until
-- then the planner expects one row where there are thousands, and a search joins them by nested loops:
-- 9 s among 6,000 records.

-- Analyze those of these tables that have doubled since they were analyzed.  Only their owner may do
-- so; the statistics take part in the caller's transaction.
CREATE FUNCTION whence.analyze_grown(targets regclass[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE target regclass;
BEGIN
    FOREACH target IN ARRAY targets LOOP
        IF EXISTS (SELECT FROM pg_class c WHERE c.oid = target AND c.relforcerowsecurity
            AND pg_relation_size(c.oid) > 2 * current_setting('block_size')::bigint * greatest(c.relpages, 1))
        THEN
            EXECUTE format('ANALYZE %s', target);
        END IF;
    END LOOP;
END $$;

REVOKE EXECUTE ON FUNCTION whence.analyze_grown(regclass[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.analyze_grown(regclass[]) TO whence_app;
