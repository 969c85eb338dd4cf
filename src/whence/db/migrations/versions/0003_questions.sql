-- Runs that ask a person, act with the rights they were asked with, and count failures apart.

ALTER TABLE whence.runs
    DROP COLUMN failures,
    -- Failures of each kind since the run last got further than ever before.
    ADD COLUMN outages int NOT NULL DEFAULT 0,
    ADD COLUMN crashes int NOT NULL DEFAULT 0,
    ADD COLUMN deaths int NOT NULL DEFAULT 0,
    -- The furthest place in the flow that was begun: its checkpoint's number.
    ADD COLUMN depth int NOT NULL DEFAULT 0,
    -- What the principal who asked was allowed; runs from before this had all that their role allows.
    ADD COLUMN scopes text[] NOT NULL DEFAULT '{read,write,propose}',
    ADD COLUMN question jsonb,
    ADD COLUMN answers jsonb NOT NULL DEFAULT '{}',
    -- The record's version when the run began, and whether it was another one at the end.
    ADD COLUMN subject_version int,
    ADD COLUMN record_changed boolean NOT NULL DEFAULT false,
    -- Whether a model was asked whose price is not known.
    ADD COLUMN unpriced boolean NOT NULL DEFAULT false;
ALTER TABLE whence.runs ALTER COLUMN scopes SET DEFAULT '{}';

ALTER TABLE whence.dossiers
    ADD COLUMN not_done text[] NOT NULL DEFAULT '{}',
    ADD COLUMN notices text[] NOT NULL DEFAULT '{}',
    ADD COLUMN subject_version int,
    ADD COLUMN record_changed boolean NOT NULL DEFAULT false;

-- The step's number and the seconds that the budget leaves it; no number when none are left.  A run
-- that gets further than it ever was has made progress: its failures count from none again.
DROP FUNCTION whence.begin_step(uuid, uuid, int, text, timestamptz, double precision, jsonb);
CREATE FUNCTION whence.begin_step(
    org uuid, run uuid, token int, name text, at timestamptz, reached int, budget double precision,
    event jsonb, OUT n int, OUT seconds_left double precision
) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM whence.fence(org, run, token);
    UPDATE whence.runs SET current_node = name, step_count = step_count + 1,
            outages = CASE WHEN reached > depth THEN 0 ELSE outages END,
            crashes = CASE WHEN reached > depth THEN 0 ELSE crashes END,
            deaths = CASE WHEN reached > depth THEN 0 ELSE deaths END,
            depth = greatest(depth, reached)
        WHERE org_id = org AND id = run AND spent_seconds < budget
        RETURNING step_count, budget - spent_seconds INTO n, seconds_left;
    IF n IS NULL THEN
        RETURN;
    END IF;
    INSERT INTO whence.run_steps (org_id, run_id, ordinal, node, attempt, status, started_at)
        VALUES (org, run, n, name, token, 'running', at);
    PERFORM whence.append_event(run, 'node_started', event || jsonb_build_object('step', n));
END $$;

-- A step's start does not wait for the disk: a server that crashed may have lost it, and the
-- checkpoint before it.  An attempt that lives on must not build on that.
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
    UPDATE whence.runs SET spent_seconds = spent_seconds + seconds WHERE org_id = org AND id = run;
    PERFORM whence.append_event(run, 'node_complete', event);
END $$;

-- A checkpoint holds only what changed since the one before, and does not wait for the disk either.
-- Commits reach the disk in their order: where the step that it follows is there, so is all before.
CREATE FUNCTION whence.fence_checkpoint(org uuid, run uuid, token int, follows int)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM whence.fence(org, run, token);
    IF follows > 0 AND NOT EXISTS (
        SELECT FROM whence.run_steps WHERE org_id = org AND run_id = run AND ordinal = follows
            AND attempt = token AND status <> 'running'
    ) THEN
        RAISE EXCEPTION 'step % of run % was lost', follows, run USING ERRCODE = 'WH003';
    END IF;
END $$;

GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA whence TO whence_app;
