-- Nodes of one run that work beside one another: which branch a step belongs to, how far the run is,
-- and time that is counted once however many of them work.

ALTER TABLE whence.run_steps
    -- How far in the flow the node was: LangGraph's number of the step.  Siblings share it.
    ADD COLUMN place int NOT NULL DEFAULT 0,
    -- The branch's name, where one node runs in several branches at once.
    ADD COLUMN branch text,
    DROP CONSTRAINT run_steps_status_check,
    ADD CONSTRAINT run_steps_status_check
        CHECK (status IN ('running', 'success', 'error', 'paused', 'interrupted', 'skipped'));

ALTER TABLE whence.runs
    -- Steps under way, and until when their work is counted in `spent_seconds`.
    ADD COLUMN open_steps int NOT NULL DEFAULT 0,
    ADD COLUMN counted_until timestamptz,
    -- Per cent, where the flow declares it.
    ADD COLUMN progress smallint CHECK (progress BETWEEN 0 AND 100);

-- Seconds worked in all at a moment: while steps are open, time passes once for all of them.
CREATE FUNCTION whence.worked(spent double precision, counted_until timestamptz, at timestamptz)
RETURNS double precision LANGUAGE sql IMMUTABLE AS $$
    SELECT spent + coalesce(greatest(extract(epoch FROM at - counted_until), 0), 0)
$$;

-- The step's number and the seconds that the budget leaves it; no number when none are left.  A run
-- that gets further than it ever was has made progress: its failures count from none again.
CREATE FUNCTION whence.begin_step(
    org uuid, run uuid, token int, name text, of_branch text, at timestamptz, reached int,
    budget double precision, event jsonb, OUT n int, OUT seconds_left double precision
) LANGUAGE plpgsql AS $$
DECLARE
    failures int;
    furthest int;
    since timestamptz;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM whence.fence(org, run, token);
    SELECT budget - whence.worked(w.spent_seconds, r.counted_until, at),
            w.outages + w.crashes + w.deaths, r.depth, r.counted_until
        INTO seconds_left, failures, furthest, since
        FROM whence.work w JOIN whence.runs r ON r.org_id = w.org_id AND r.id = w.id
        WHERE w.org_id = org AND w.id = run;
    IF seconds_left <= 0 THEN
        seconds_left := NULL;
        RETURN;
    END IF;
    IF since IS NOT NULL OR failures > 0 AND reached > furthest THEN
        UPDATE whence.work SET spent_seconds = whence.worked(spent_seconds, since, at),
                outages = CASE WHEN reached > furthest THEN 0 ELSE outages END,
                crashes = CASE WHEN reached > furthest THEN 0 ELSE crashes END,
                deaths = CASE WHEN reached > furthest THEN 0 ELSE deaths END
            WHERE org_id = org AND id = run;
    END IF;
    UPDATE whence.runs SET current_node = name, step_count = step_count + 1,
            open_steps = open_steps + 1, counted_until = greatest(counted_until, at),
            depth = greatest(depth, reached)
        WHERE org_id = org AND id = run RETURNING step_count INTO n;
    INSERT INTO whence.run_steps (org_id, run_id, ordinal, node, place, branch, attempt, status, started_at)
        VALUES (org, run, n, name, reached, of_branch, token, 'running', at);
    PERFORM whence.append_event(run, 'node_started', event || jsonb_build_object('step', n));
END $$;

-- A step's start does not wait for the disk: a server that crashed may have lost it, and the
-- checkpoint before it.  An attempt that lives on must not build on that.
--
-- A branch that succeeds for the first time is progress as well, though its siblings stand still.
CREATE FUNCTION whence.end_step(
    org uuid, run uuid, token int, n int, ended text, at timestamptz, told jsonb, per_cent int,
    event jsonb
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    step record;
    is_progress boolean := false;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM whence.fence(org, run, token);
    UPDATE whence.run_steps SET status = ended, completed_at = at, detail = told
        WHERE org_id = org AND run_id = run AND ordinal = n AND attempt = token
        RETURNING node, place, branch INTO step;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'step % of run % was lost', n, run USING ERRCODE = 'WH003';
    END IF;
    IF ended = 'success' AND EXISTS (
        SELECT FROM whence.work WHERE org_id = org AND id = run AND outages + crashes + deaths > 0
    ) THEN
        is_progress := NOT EXISTS (
            SELECT FROM whence.run_steps s WHERE s.org_id = org AND s.run_id = run AND s.ordinal <> n
                AND s.node = step.node AND s.place = step.place
                AND s.branch IS NOT DISTINCT FROM step.branch AND s.status = 'success');
    END IF;
    UPDATE whence.work w SET
            spent_seconds = whence.worked(w.spent_seconds, r.counted_until, at),
            outages = CASE WHEN is_progress THEN 0 ELSE w.outages END,
            crashes = CASE WHEN is_progress THEN 0 ELSE w.crashes END,
            deaths = CASE WHEN is_progress THEN 0 ELSE w.deaths END
        FROM whence.runs r
        WHERE w.org_id = org AND w.id = run AND r.org_id = w.org_id AND r.id = w.id;
    UPDATE whence.runs SET
            counted_until = CASE WHEN open_steps > 1 THEN greatest(counted_until, at) END,
            open_steps = greatest(open_steps - 1, 0),
            progress = greatest(progress, per_cent)
        WHERE org_id = org AND id = run;
    PERFORM whence.append_event(run, 'node_complete', event);
END $$;

GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA whence TO whence_app;
