-- Figures for whoever operates the installation, without any tenant's data.

-- Row-level security is forced, so it binds the tables' owner too where that is no superuser.  The
-- owner operates the installation: it dumps every row into a backup, and counts runs below.  This
-- lets it read, and nothing else; the application never acts as the owner.
CREATE FUNCTION whence.open_to_operator(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE POLICY operator_reads ON %s FOR SELECT TO CURRENT_USER USING (true)', target);
END $$;

CREATE OR REPLACE FUNCTION whence.protect(target regclass, privileges text DEFAULT 'SELECT, INSERT, UPDATE, DELETE')
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s ALTER COLUMN org_id SET DEFAULT whence.current_org()', target);
    EXECUTE format(
        'CREATE POLICY tenant ON %s USING (org_id = whence.current_org()) WITH CHECK (org_id = whence.current_org())',
        target);
    PERFORM whence.open_to_operator(target);
    PERFORM whence.close_to_shadows(target);
    EXECUTE format('GRANT %s ON %s TO whence_app', privileges, target);
END $$;

-- The tables that are there already, the packs' included.
SELECT whence.open_to_operator(oid) FROM pg_class
    WHERE relkind = 'r' AND relforcerowsecurity AND relowner = (SELECT oid FROM pg_roles WHERE rolname = current_user);

CREATE INDEX runs_ended ON whence.runs (completed_at) WHERE completed_at IS NOT NULL;

-- Counts over all organizations, of which none is named: (figure, its label, value).
CREATE FUNCTION whence.figures() RETURNS TABLE (figure text, label text, value double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN QUERY
    SELECT 'runs', r.status, count(*)::float8 FROM whence.runs r
        WHERE r.status IN ('pending', 'running', 'paused') GROUP BY r.status
    UNION ALL
    SELECT 'runs_ended_last_day', r.status, count(*)::float8 FROM whence.runs r
        WHERE r.completed_at > now() - interval '1 day' GROUP BY r.status
    UNION ALL
    SELECT 'queue_depth', j.priority::text, count(*)::float8 FROM jobs.procrastinate_jobs j
        WHERE j.status = 'todo' AND coalesce(j.scheduled_at, now()) <= now() GROUP BY j.priority
    UNION ALL
    SELECT 'queue_oldest_seconds', j.priority::text,
        extract(epoch FROM max(now() - greatest(e.at, j.scheduled_at)))::float8
        FROM jobs.procrastinate_jobs j JOIN LATERAL (
            SELECT min(v.at) AS at FROM jobs.procrastinate_events v WHERE v.job_id = j.id) e ON true
        WHERE j.status = 'todo' AND coalesce(j.scheduled_at, now()) <= now() GROUP BY j.priority
    UNION ALL
    SELECT 'queue_scheduled', '', count(*)::float8 FROM jobs.procrastinate_jobs j
        WHERE j.status = 'todo' AND j.scheduled_at > now()
    UNION ALL
    SELECT 'jobs_in_work', '', count(*)::float8 FROM jobs.procrastinate_jobs j WHERE j.status = 'doing'
    UNION ALL
    SELECT 'workers', '', count(*)::float8 FROM jobs.procrastinate_workers w
        WHERE w.last_heartbeat > now() - interval '30 seconds'
    UNION ALL
    SELECT 'longest_silence_seconds', '', coalesce(extract(epoch FROM max(now() - w.last_heartbeat)), 0)::float8
        FROM jobs.procrastinate_workers w
    UNION ALL
    SELECT 'database_bytes', '', pg_database_size(current_database())::float8;
END $$;

-- The revision of whence's own tables: whether this database is at a program's version.
CREATE FUNCTION whence.schema_revision() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN (SELECT max(v.version_num) FROM whence.schema_version v);
END $$;

REVOKE EXECUTE ON FUNCTION whence.figures(), whence.schema_revision(), whence.open_to_operator(regclass)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.figures(), whence.schema_revision() TO whence_app;
