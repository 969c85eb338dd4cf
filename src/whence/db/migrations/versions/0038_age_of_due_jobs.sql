-- A job whose time has come loses its `scheduled_at` (`work/schema_queue.sql`); its event of the type
-- `scheduled` still says since when it waits.
CREATE OR REPLACE FUNCTION whence.figures() RETURNS TABLE (figure text, label text, value double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN QUERY
    SELECT 'runs', w.status, count(*)::float8 FROM whence.work w
        WHERE w.type = 'research' AND w.status IN ('pending', 'running', 'paused') GROUP BY w.status
    UNION ALL
    SELECT 'runs_ended_last_day', w.status, count(*)::float8 FROM whence.work w
        WHERE w.type = 'research' AND w.completed_at > now() - interval '1 day' GROUP BY w.status
    UNION ALL
    SELECT 'queue_depth', j.priority::text, count(*)::float8 FROM jobs.procrastinate_jobs j
        WHERE j.status = 'todo' AND coalesce(j.scheduled_at, now()) <= now() GROUP BY j.priority
    UNION ALL
    SELECT 'queue_oldest_seconds', j.priority::text,
        extract(epoch FROM max(now() - e.at))::float8
        FROM jobs.procrastinate_jobs j JOIN LATERAL (
            SELECT greatest(min(v.at), max(v.at) FILTER (WHERE v.type = 'scheduled')) AS at
            FROM jobs.procrastinate_events v WHERE v.job_id = j.id) e ON true
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
