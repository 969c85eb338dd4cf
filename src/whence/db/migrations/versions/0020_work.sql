-- Durable work: what every unit of it has (state, fencing token, failures, spending) moves from
-- whence.runs to whence.work; a run of research is a row there with one in whence.runs beside it.

CREATE TABLE whence.work (
    org_id           uuid NOT NULL,
    id               uuid NOT NULL,
    -- 'research', or the type of a job.
    type             text NOT NULL,
    -- At most one active unit of a type has a key; null: any number.
    key              text,
    -- Where its attempts are queued, and the name of the handler there.
    queue            text NOT NULL,
    handler          text NOT NULL,
    status           text NOT NULL CHECK (status IN ('pending', 'running', 'paused', 'success', 'error', 'cancelled')),
    priority         smallint NOT NULL,
    -- The fencing token: the number of the newest attempt.
    attempt          int NOT NULL DEFAULT 0,
    -- Failures of each kind since the work last got further than ever before.
    outages          int NOT NULL DEFAULT 0,
    crashes          int NOT NULL DEFAULT 0,
    deaths           int NOT NULL DEFAULT 0,
    requested_by     uuid NOT NULL,
    -- What the principal who asked was allowed.
    scopes           text[] NOT NULL DEFAULT '{}',
    payload          jsonb NOT NULL DEFAULT '{}',
    -- What the handler of a job keeps for its next attempt.
    state            jsonb NOT NULL DEFAULT '{}',
    progress_done    bigint NOT NULL DEFAULT 0,
    progress_total   bigint,
    progress_message text,
    notice           text,
    -- The earliest time of the next attempt; paused without one, the work waits for a person.
    resume_at        timestamptz,
    error            jsonb,
    result           jsonb,
    spent_calls      int NOT NULL DEFAULT 0,
    spent_tokens     bigint NOT NULL DEFAULT 0,
    spent_usd        double precision NOT NULL DEFAULT 0,
    spent_seconds    double precision NOT NULL DEFAULT 0,
    -- Whether a model was asked whose price is not known.
    unpriced         boolean NOT NULL DEFAULT false,
    created_at       timestamptz NOT NULL,
    started_at       timestamptz,
    completed_at     timestamptz,
    checkpoints_pruned_at timestamptz,
    events_pruned_at timestamptz,
    PRIMARY KEY (org_id, id)
);

-- The owner reads every organization's runs by the policy operator_reads, and writes here before
-- row-level security is forced.
INSERT INTO whence.work (org_id, id, type, key, queue, handler, status, priority, attempt, outages, crashes,
        deaths, requested_by, scopes, notice, resume_at, error, result, spent_calls, spent_tokens, spent_usd,
        spent_seconds, unpriced, created_at, started_at, completed_at, checkpoints_pruned_at, events_pruned_at)
    SELECT org_id, id, 'research', concat_ws('/', kind, subject_id, flow, lane), 'whence', 'research.attempt',
        status, priority, attempt, outages, crashes, deaths, requested_by, scopes, notice, resume_at, error, result,
        spent_calls, spent_tokens, spent_usd, spent_seconds, unpriced, created_at, started_at, completed_at,
        checkpoints_pruned_at, events_pruned_at
    FROM whence.runs;

CREATE UNIQUE INDEX one_active_unit ON whence.work (org_id, type, key)
    WHERE status IN ('pending', 'running', 'paused');
CREATE INDEX work_newest ON whence.work (org_id, created_at DESC, id DESC);
CREATE INDEX work_ended ON whence.work (completed_at) WHERE completed_at IS NOT NULL;
CREATE INDEX work_with_checkpoints ON whence.work (completed_at)
    WHERE type = 'research' AND status IN ('success', 'error', 'cancelled')
    AND (checkpoints_pruned_at IS NULL OR checkpoints_pruned_at < completed_at);
CREATE INDEX work_with_events ON whence.work (completed_at)
    WHERE status IN ('success', 'error', 'cancelled')
    AND (events_pruned_at IS NULL OR events_pruned_at < completed_at);
CREATE INDEX work_active ON whence.work (type, status) WHERE status IN ('pending', 'running', 'paused');
SELECT whence.protect('whence.work', 'SELECT, INSERT, UPDATE');

-- a run keeps what is research's own ------------------------------------------------------------

DROP POLICY retention ON whence.events;
DROP POLICY retention ON whence.runs;
DROP INDEX whence.one_active_run, whence.runs_of_subject, whence.runs_with_checkpoints, whence.runs_with_events,
    whence.runs_ended;
ALTER TABLE whence.runs
    DROP COLUMN status, DROP COLUMN priority, DROP COLUMN attempt, DROP COLUMN outages, DROP COLUMN crashes,
    DROP COLUMN deaths, DROP COLUMN requested_by, DROP COLUMN scopes, DROP COLUMN notice, DROP COLUMN resume_at,
    DROP COLUMN error, DROP COLUMN result, DROP COLUMN spent_calls, DROP COLUMN spent_tokens,
    DROP COLUMN spent_usd, DROP COLUMN spent_seconds, DROP COLUMN unpriced, DROP COLUMN created_at,
    DROP COLUMN started_at, DROP COLUMN completed_at, DROP COLUMN checkpoints_pruned_at,
    DROP COLUMN events_pruned_at,
    ADD FOREIGN KEY (org_id, id) REFERENCES whence.work ON DELETE CASCADE;
CREATE INDEX runs_of_subject ON whence.runs (org_id, kind, subject_id);

-- the fence, and steps ----------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION whence.fence(org uuid, run uuid, token int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE w record;
BEGIN
    PERFORM set_config('whence.org_id', org::text, true);
    SELECT attempt, status INTO w FROM whence.work WHERE org_id = org AND id = run FOR NO KEY UPDATE;
    IF NOT FOUND OR w.attempt <> token OR w.status <> 'running' THEN
        RAISE EXCEPTION 'stale attempt % of work %', token, run USING ERRCODE = 'WH001';
    END IF;
END $$;

-- As before: the step's number and the seconds that the budget leaves it; no number when none are
-- left.  A run that gets further than it ever was has made progress: its failures count from none.
CREATE OR REPLACE FUNCTION whence.begin_step(
    org uuid, run uuid, token int, name text, at timestamptz, reached int, budget double precision,
    event jsonb, OUT n int, OUT seconds_left double precision
) LANGUAGE plpgsql AS $$
DECLARE furthest int; failures int;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM whence.fence(org, run, token);
    SELECT budget - w.spent_seconds, w.outages + w.crashes + w.deaths, r.depth
        INTO seconds_left, failures, furthest
        FROM whence.work w JOIN whence.runs r ON r.org_id = w.org_id AND r.id = w.id
        WHERE w.org_id = org AND w.id = run;
    IF seconds_left <= 0 THEN
        seconds_left := NULL;
        RETURN;
    END IF;
    IF failures > 0 AND reached > furthest THEN
        UPDATE whence.work SET outages = 0, crashes = 0, deaths = 0 WHERE org_id = org AND id = run;
    END IF;
    UPDATE whence.runs SET current_node = name, step_count = step_count + 1, depth = greatest(depth, reached)
        WHERE org_id = org AND id = run RETURNING step_count INTO n;
    INSERT INTO whence.run_steps (org_id, run_id, ordinal, node, attempt, status, started_at)
        VALUES (org, run, n, name, token, 'running', at);
    PERFORM whence.append_event(run, 'node_started', event || jsonb_build_object('step', n));
END $$;

CREATE OR REPLACE FUNCTION whence.end_step(
    org uuid, run uuid, token int, n int, ended text, at timestamptz, seconds double precision,
    event jsonb
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM whence.fence(org, run, token);
    UPDATE whence.run_steps SET status = ended, completed_at = at
        WHERE org_id = org AND run_id = run AND ordinal = n AND attempt = token;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'step % of run % was lost', n, run USING ERRCODE = 'WH003';
    END IF;
    UPDATE whence.work SET spent_seconds = spent_seconds + seconds WHERE org_id = org AND id = run;
    PERFORM whence.append_event(run, 'node_complete', event);
END $$;

-- retention -----------------------------------------------------------------------------------------

-- As before: the owner of these functions may look across organizations only at work that has ended,
-- and at the events of that.
CREATE POLICY retention ON whence.work TO CURRENT_USER
    USING (status IN ('success', 'error', 'cancelled'));
CREATE POLICY retention ON whence.events TO CURRENT_USER USING (EXISTS (
    SELECT FROM whence.work w WHERE w.org_id = events.org_id AND w.id = events.stream_id
    AND w.status IN ('success', 'error', 'cancelled')));

CREATE OR REPLACE FUNCTION whence.prune_checkpoints(ended_before timestamptz, most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n int;
BEGIN
    WITH due AS (
        SELECT org_id, id, id::text AS thread FROM whence.work
            WHERE type = 'research' AND status IN ('success', 'error', 'cancelled')
            AND completed_at < ended_before
            AND (checkpoints_pruned_at IS NULL OR checkpoints_pruned_at < completed_at)
            ORDER BY completed_at LIMIT most FOR UPDATE SKIP LOCKED
    ), writes AS (
        DELETE FROM checkpoints.checkpoint_writes c USING due WHERE c.thread_id = due.thread
    ), blobs AS (
        DELETE FROM checkpoints.checkpoint_blobs c USING due WHERE c.thread_id = due.thread
    ), states AS (
        DELETE FROM checkpoints.checkpoints c USING due WHERE c.thread_id = due.thread
    )
    UPDATE whence.work w SET checkpoints_pruned_at = clock_timestamp()
        FROM due WHERE w.org_id = due.org_id AND w.id = due.id;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

CREATE OR REPLACE FUNCTION whence.prune_events(ended_before timestamptz, most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n int;
BEGIN
    WITH due AS (
        SELECT org_id, id FROM whence.work
            WHERE status IN ('success', 'error', 'cancelled') AND completed_at < ended_before
            AND (events_pruned_at IS NULL OR events_pruned_at < completed_at)
            ORDER BY completed_at LIMIT most FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM whence.events e USING due WHERE e.org_id = due.org_id AND e.stream_id = due.id
    )
    UPDATE whence.work w SET events_pruned_at = clock_timestamp()
        FROM due WHERE w.org_id = due.org_id AND w.id = due.id;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

-- figures -------------------------------------------------------------------------------------------

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
