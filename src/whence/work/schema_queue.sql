-- What whence adds to Procrastinate's tables: indexes, and a fetch that is fair to organizations.

-- Taking back what waits under a lock, and asking whether an earlier job has it: without these, each
-- looks through all that waits.
CREATE INDEX IF NOT EXISTS whence_jobs_of_lock ON procrastinate_jobs (lock) WHERE status = 'todo';
-- Jobs that may begin now, and those for later: a fetch looks at none of the latter before its time.
DROP INDEX IF EXISTS whence_jobs_by_turn;
CREATE INDEX IF NOT EXISTS whence_jobs_ready
    ON procrastinate_jobs (queue_name, coalesce(args->>'org_id', ''), priority DESC, id)
    WHERE status = 'todo' AND scheduled_at IS NULL;
CREATE INDEX IF NOT EXISTS whence_jobs_scheduled
    ON procrastinate_jobs (queue_name, scheduled_at) WHERE status = 'todo' AND scheduled_at IS NOT NULL;

-- When each organization last had a job taken from a queue.  It has no policy: a worker serves every
-- organization before it knows whose job it takes.  It holds ids and times, and no API reads it.
CREATE TABLE IF NOT EXISTS whence_turns (
    queue_name text NOT NULL,
    org_id     text NOT NULL,
    at         timestamptz NOT NULL,
    PRIMARY KEY (queue_name, org_id)
);

-- Whether another job of this one's lock is under way, or comes first.
CREATE OR REPLACE FUNCTION whence_is_held_up(job procrastinate_jobs) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT job.lock IS NOT NULL AND (
        EXISTS (SELECT FROM procrastinate_jobs o WHERE o.lock = job.lock AND o.status = 'doing')
        OR EXISTS (SELECT FROM procrastinate_jobs o WHERE o.lock = job.lock AND o.status = 'todo'
            AND (o.priority > job.priority OR (o.priority = job.priority AND o.id < job.id))))
$$;

-- As procrastinate_fetch_job_v2, for the first of the queues that has a job to take.  Within a queue
-- the organization that has waited longest for its turn comes first; within an organization the
-- priority, then the order of arrival.  Each organization costs one look into the index.
CREATE OR REPLACE FUNCTION whence_fetch_job(queues text[], worker bigint) RETURNS procrastinate_jobs
LANGUAGE plpgsql AS $$
DECLARE q text; whose text; candidate bigint; taken procrastinate_jobs;
BEGIN
    FOREACH q IN ARRAY queues LOOP
        -- Jobs whose time has come are ready from now on, some at each fetch: after an outage there
        -- may be thousands, and a fetch has to look through those that it does not take in order.
        UPDATE procrastinate_jobs SET scheduled_at = NULL WHERE id IN (
            SELECT j.id FROM procrastinate_jobs j
                WHERE j.status = 'todo' AND j.queue_name = q AND j.scheduled_at <= now()
                ORDER BY j.scheduled_at LIMIT 100 FOR UPDATE SKIP LOCKED);
        FOR whose IN
            WITH RECURSIVE ready AS (
                (SELECT coalesce(j.args->>'org_id', '') AS org FROM procrastinate_jobs j
                    WHERE j.status = 'todo' AND j.scheduled_at IS NULL AND j.queue_name = q
                    ORDER BY coalesce(j.args->>'org_id', '') LIMIT 1)
                UNION ALL
                SELECT n.org FROM ready r CROSS JOIN LATERAL (
                    SELECT coalesce(j.args->>'org_id', '') AS org FROM procrastinate_jobs j
                    WHERE j.status = 'todo' AND j.scheduled_at IS NULL AND j.queue_name = q
                    AND coalesce(j.args->>'org_id', '') > r.org
                    ORDER BY coalesce(j.args->>'org_id', '') LIMIT 1) n
            )
            SELECT r.org FROM ready r LEFT JOIN whence_turns t ON t.queue_name = q AND t.org_id = r.org
                ORDER BY t.at NULLS FIRST, r.org
        LOOP
            SELECT j.id INTO candidate FROM procrastinate_jobs j
                WHERE j.status = 'todo' AND j.scheduled_at IS NULL AND j.queue_name = q
                AND coalesce(j.args->>'org_id', '') = whose AND NOT whence_is_held_up(j)
                ORDER BY j.priority DESC, j.id LIMIT 1 FOR UPDATE OF j SKIP LOCKED;
            CONTINUE WHEN candidate IS NULL;
            UPDATE procrastinate_jobs SET status = 'doing', worker_id = worker
                WHERE id = candidate RETURNING * INTO taken;
            INSERT INTO whence_turns VALUES (q, whose, clock_timestamp())
                ON CONFLICT (queue_name, org_id) DO UPDATE SET at = clock_timestamp();
            RETURN taken;
        END LOOP;
    END LOOP;
    RETURN NULL;
END $$;
