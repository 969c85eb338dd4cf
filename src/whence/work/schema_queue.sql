-- What whence adds to Procrastinate's tables: indexes, and a fetch that is fair to organizations.

-- Taking back what waits under a lock, and asking whether an earlier job has it: without these, each
-- looks through all that waits.
CREATE INDEX IF NOT EXISTS whence_jobs_of_lock ON procrastinate_jobs (lock) WHERE status = 'todo';
CREATE INDEX IF NOT EXISTS whence_jobs_by_turn
    ON procrastinate_jobs (queue_name, coalesce(args->>'org_id', ''), priority DESC, id) WHERE status = 'todo';

-- When each organization last had a job taken from a queue.
CREATE TABLE IF NOT EXISTS whence_turns (
    queue_name text NOT NULL,
    org_id     text NOT NULL,
    at         timestamptz NOT NULL,
    PRIMARY KEY (queue_name, org_id)
);

-- As procrastinate_fetch_job_v2, for the first of the queues that has a job to take.  Within a queue
-- the organization that has waited longest for its turn comes first; within an organization the
-- priority, then the order of arrival.  Each organization costs one look into the index.
CREATE OR REPLACE FUNCTION whence_fetch_job(queues text[], worker bigint) RETURNS procrastinate_jobs
LANGUAGE plpgsql AS $$
DECLARE q text; org text; candidate bigint; taken procrastinate_jobs;
BEGIN
    FOREACH q IN ARRAY queues LOOP
        FOR org IN
            WITH RECURSIVE waiting AS (
                (SELECT coalesce(j.args->>'org_id', '') AS org FROM procrastinate_jobs j
                    WHERE j.status = 'todo' AND j.queue_name = q
                    ORDER BY coalesce(j.args->>'org_id', '') LIMIT 1)
                UNION ALL
                SELECT n.org FROM waiting w CROSS JOIN LATERAL (
                    SELECT coalesce(j.args->>'org_id', '') AS org FROM procrastinate_jobs j
                    WHERE j.status = 'todo' AND j.queue_name = q AND coalesce(j.args->>'org_id', '') > w.org
                    ORDER BY coalesce(j.args->>'org_id', '') LIMIT 1) n
            )
            SELECT w.org FROM waiting w LEFT JOIN whence_turns t ON t.queue_name = q AND t.org_id = w.org
                ORDER BY t.at NULLS FIRST, w.org
        LOOP
            SELECT j.id INTO candidate FROM procrastinate_jobs j
                WHERE j.status = 'todo' AND j.queue_name = q
                AND coalesce(j.args->>'org_id', '') = org
                AND (j.scheduled_at IS NULL OR j.scheduled_at <= now())
                AND NOT EXISTS (
                    SELECT FROM procrastinate_jobs o WHERE j.lock IS NOT NULL AND o.lock = j.lock
                    AND o.status = 'doing')
                AND NOT EXISTS (
                    SELECT FROM procrastinate_jobs o WHERE j.lock IS NOT NULL AND o.lock = j.lock
                    AND o.status = 'todo'
                    AND (o.priority > j.priority OR (o.priority = j.priority AND o.id < j.id)))
                ORDER BY j.priority DESC, j.id LIMIT 1
                FOR UPDATE OF j SKIP LOCKED;
            CONTINUE WHEN candidate IS NULL;
            UPDATE procrastinate_jobs SET status = 'doing', worker_id = worker
                WHERE id = candidate RETURNING * INTO taken;
            INSERT INTO whence_turns VALUES (q, org, clock_timestamp())
                ON CONFLICT (queue_name, org_id) DO UPDATE SET at = clock_timestamp();
            RETURN taken;
        END LOOP;
    END LOOP;
    RETURN NULL;
END $$;
