-- Schedules, and the system principal of each organization that starts their work.

-- No row of users or memberships has this id: nobody can sign in, hold a token or be given a role
-- as it.
ALTER TABLE whence.organizations ADD COLUMN system_user_id uuid NOT NULL DEFAULT gen_random_uuid();

CREATE TABLE whence.schedules (
    org_id        uuid NOT NULL,
    id            uuid NOT NULL,
    -- `<pack>.<name>` where a pack declares it, with the digest of its declaration; null: a person
    -- set it.
    declared_as   text,
    declaration   text,
    title         text NOT NULL,
    -- What it starts.
    job           text NOT NULL,
    payload       jsonb NOT NULL DEFAULT '{}',
    -- When: by a cron expression in a time zone, or every so many seconds, counted from anchor_at.
    cron          text,
    every_seconds int,
    time_zone     text NOT NULL DEFAULT 'UTC',
    anchor_at     timestamptz NOT NULL,
    paused        boolean NOT NULL DEFAULT false,
    -- The next tick; null while it is paused.
    next_at       timestamptz,
    last_at       timestamptz,
    last_outcome  text CHECK (last_outcome IN ('started', 'skipped', 'failed')),
    last_job_id   uuid,
    last_error    text,
    -- What its jobs may do: rights of the system principal that its maker had too.
    scopes        text[] NOT NULL DEFAULT '{}',
    created_by    uuid NOT NULL,
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    CHECK ((cron IS NULL) <> (every_seconds IS NULL)),
    CHECK (paused = (next_at IS NULL)),
    CHECK ((declared_as IS NULL) = (declaration IS NULL)),
    PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX schedules_declared ON whence.schedules (org_id, declared_as);
CREATE INDEX schedules_newest ON whence.schedules (org_id, created_at DESC, id DESC);
CREATE INDEX schedules_due ON whence.schedules (next_at);
SELECT whence.protect('whence.schedules');

-- Schedules of every organization whose time has come, of those that the caller can start: a worker
-- of another version leaves what it does not know to others.
CREATE FUNCTION whence.due_schedules(jobs text[], declared text[], most int)
RETURNS TABLE (org_id uuid, id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT s.org_id, s.id FROM whence.schedules s
        WHERE s.next_at <= now() AND s.job = ANY (jobs)
        AND (s.declared_as IS NULL OR s.declared_as = ANY (declared))
        ORDER BY s.next_at LIMIT most;
END $$;

-- Organizations that lack a declared schedule or, `changed`, have it by another declaration.
CREATE FUNCTION whence.undeclared_schedules(names text[], declarations text[], changed boolean)
RETURNS TABLE (org_id uuid, name text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT o.org_id, d.name FROM whence.organizations o
        CROSS JOIN unnest(names, declarations) AS d (name, declaration)
        LEFT JOIN whence.schedules s ON s.org_id = o.org_id AND s.declared_as = d.name
        WHERE s.id IS NULL OR (changed AND s.declaration <> d.declaration);
END $$;

REVOKE EXECUTE ON FUNCTION whence.due_schedules(text[], text[], int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.due_schedules(text[], text[], int) TO whence_app;
REVOKE EXECUTE ON FUNCTION whence.undeclared_schedules(text[], text[], boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.undeclared_schedules(text[], text[], boolean) TO whence_app;
