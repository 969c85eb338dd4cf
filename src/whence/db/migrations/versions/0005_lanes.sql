-- Lanes: candidate versions of a flow beside the primary one; and how long a finished run's traces are kept.

ALTER TABLE whence.runs
    ADD CONSTRAINT runs_lane CHECK (lane IN ('primary', 'shadow')),
    -- {"candidate", "primary", "reason"} where a candidate version failed and the primary took over.
    ADD COLUMN fallback jsonb,
    ADD COLUMN checkpoints_pruned_at timestamptz,
    ADD COLUMN events_pruned_at timestamptz;

-- shadow runs -----------------------------------------------------------------------------------

-- A shadow run leaves no trace but its own findings: what packs keep is closed to it.  The
-- application sets `whence.shadow` for the transactions of a shadow run's nodes.
CREATE FUNCTION whence.refuse_shadow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('whence.shadow', true) = 'on' THEN
        RAISE EXCEPTION 'a shadow run may not write to %.%', TG_TABLE_SCHEMA, TG_TABLE_NAME
            USING ERRCODE = 'WH002';
    END IF;
    RETURN NULL;
END $$;

-- Whence's own tables stay open: a shadow run keeps its steps, evidence and dossier there.
CREATE FUNCTION whence.close_to_shadows(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT relnamespace FROM pg_class WHERE oid = target) <> 'whence'::regnamespace THEN
        EXECUTE format(
            'CREATE TRIGGER refuse_shadow BEFORE INSERT OR UPDATE OR DELETE ON %s '
            'FOR EACH STATEMENT EXECUTE FUNCTION whence.refuse_shadow()', target);
    END IF;
END $$;

-- As before, and closed to shadow runs.
CREATE OR REPLACE FUNCTION whence.protect(target regclass, privileges text DEFAULT 'SELECT, INSERT, UPDATE, DELETE')
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s ALTER COLUMN org_id SET DEFAULT whence.current_org()', target);
    EXECUTE format(
        'CREATE POLICY tenant ON %s USING (org_id = whence.current_org()) WITH CHECK (org_id = whence.current_org())',
        target);
    EXECUTE format('GRANT %s ON %s TO whence_app', privileges, target);
    PERFORM whence.close_to_shadows(target);
END $$;

-- Packs' tables that were made before this.
SELECT whence.close_to_shadows(polrelid) FROM pg_policy WHERE polname = 'tenant';

-- retention -------------------------------------------------------------------------------------

-- Runs whose checkpoints, or events, are still to be removed; a run that is resumed ends later and
-- is due anew.
CREATE INDEX runs_with_checkpoints ON whence.runs (completed_at)
    WHERE status IN ('success', 'error', 'cancelled')
    AND (checkpoints_pruned_at IS NULL OR checkpoints_pruned_at < completed_at);
CREATE INDEX runs_with_events ON whence.runs (completed_at)
    WHERE status IN ('success', 'error', 'cancelled')
    AND (events_pruned_at IS NULL OR events_pruned_at < completed_at);

-- Row-level security binds the owner of these functions as well, where that is no superuser: it may
-- look across organizations only at runs that have ended, and at the events of those.
CREATE POLICY retention ON whence.runs TO CURRENT_USER
    USING (status IN ('success', 'error', 'cancelled'));
CREATE POLICY retention ON whence.events TO CURRENT_USER USING (EXISTS (
    SELECT FROM whence.runs r WHERE r.org_id = events.org_id AND r.id = events.stream_id
    AND r.status IN ('success', 'error', 'cancelled')));

-- Remove the checkpoints of at most `most` runs that ended before `ended_before`; how many runs
-- there were.  The row lock keeps a run from being resumed meanwhile; a locked run is left for later.
CREATE FUNCTION whence.prune_checkpoints(ended_before timestamptz, most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n int;
BEGIN
    WITH due AS (
        SELECT org_id, id, id::text AS thread FROM whence.runs
            WHERE status IN ('success', 'error', 'cancelled') AND completed_at < ended_before
            AND (checkpoints_pruned_at IS NULL OR checkpoints_pruned_at < completed_at)
            ORDER BY completed_at LIMIT most FOR UPDATE SKIP LOCKED
    ), writes AS (
        DELETE FROM checkpoints.checkpoint_writes c USING due WHERE c.thread_id = due.thread
    ), blobs AS (
        DELETE FROM checkpoints.checkpoint_blobs c USING due WHERE c.thread_id = due.thread
    ), states AS (
        DELETE FROM checkpoints.checkpoints c USING due WHERE c.thread_id = due.thread
    )
    UPDATE whence.runs r SET checkpoints_pruned_at = clock_timestamp()
        FROM due WHERE r.org_id = due.org_id AND r.id = due.id;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

-- The same for events.  A stream keeps its last number, so that a reader is told of the gap.
CREATE FUNCTION whence.prune_events(ended_before timestamptz, most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n int;
BEGIN
    WITH due AS (
        SELECT org_id, id FROM whence.runs
            WHERE status IN ('success', 'error', 'cancelled') AND completed_at < ended_before
            AND (events_pruned_at IS NULL OR events_pruned_at < completed_at)
            ORDER BY completed_at LIMIT most FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM whence.events e USING due WHERE e.org_id = due.org_id AND e.stream_id = due.id
    )
    UPDATE whence.runs r SET events_pruned_at = clock_timestamp()
        FROM due WHERE r.org_id = due.org_id AND r.id = due.id;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

REVOKE EXECUTE ON FUNCTION whence.prune_checkpoints(timestamptz, int), whence.prune_events(timestamptz, int)
    FROM PUBLIC;
-- The same for one-time sign-in links and for sessions that are over.
CREATE POLICY retention ON whence.api_tokens TO CURRENT_USER
    USING (kind = 'sign_in' AND least(expires_at, revoked_at) < now());
CREATE POLICY retention ON whence.sessions TO CURRENT_USER
    USING (least(expires_at, ended_at) < now());
CREATE FUNCTION whence.prune_sign_ins(ended_before timestamptz, most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE links int; browsers int;
BEGIN
    WITH due AS (
        SELECT org_id, id FROM whence.api_tokens
            WHERE kind = 'sign_in' AND least(expires_at, revoked_at) < ended_before
            LIMIT most FOR UPDATE SKIP LOCKED
    )
    DELETE FROM whence.api_tokens t USING due WHERE t.org_id = due.org_id AND t.id = due.id;
    GET DIAGNOSTICS links = ROW_COUNT;
    WITH due AS (
        SELECT org_id, id FROM whence.sessions
            WHERE least(expires_at, ended_at) < ended_before LIMIT most FOR UPDATE SKIP LOCKED
    )
    DELETE FROM whence.sessions s USING due WHERE s.org_id = due.org_id AND s.id = due.id;
    GET DIAGNOSTICS browsers = ROW_COUNT;
    RETURN links + browsers;
END $$;

REVOKE ALL ON FUNCTION whence.prune_checkpoints(timestamptz, int),
    whence.prune_events(timestamptz, int), whence.prune_sign_ins(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA whence TO whence_app;
