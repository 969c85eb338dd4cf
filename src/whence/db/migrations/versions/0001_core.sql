-- Tenants and events: whence's own tables.  Every tenant row carries org_id, and row-level security is forced on all.

CREATE FUNCTION whence.current_org() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT nullif(current_setting('whence.org_id', true), '')::uuid $$;

-- Close a tenant table: the application sees and writes only rows of the organization it works for.
CREATE FUNCTION whence.protect(target regclass, privileges text DEFAULT 'SELECT, INSERT, UPDATE, DELETE')
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s ALTER COLUMN org_id SET DEFAULT whence.current_org()', target);
    EXECUTE format(
        'CREATE POLICY tenant ON %s USING (org_id = whence.current_org()) WITH CHECK (org_id = whence.current_org())',
        target);
    EXECUTE format('GRANT %s ON %s TO whence_app', privileges, target);
END $$;

-- tenancy -------------------------------------------------------------------------------------

CREATE TABLE whence.organizations (
    org_id     uuid PRIMARY KEY,
    name       text NOT NULL,
    is_local   boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX one_local_organization ON whence.organizations (is_local) WHERE is_local;
SELECT whence.protect('whence.organizations', 'SELECT, UPDATE');

CREATE TABLE whence.users (
    id         uuid PRIMARY KEY,
    email      text NOT NULL,
    name       text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_email ON whence.users (lower(email));

CREATE TABLE whence.memberships (
    org_id     uuid NOT NULL REFERENCES whence.organizations,
    user_id    uuid NOT NULL REFERENCES whence.users,
    role       text NOT NULL CHECK (role IN ('owner', 'member', 'viewer')),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, user_id)
);
SELECT whence.protect('whence.memberships');

-- A user is visible to the organizations that the user belongs to.
ALTER TABLE whence.users ENABLE ROW LEVEL SECURITY;
ALTER TABLE whence.users FORCE ROW LEVEL SECURITY;
CREATE POLICY fellow_member ON whence.users FOR SELECT USING (EXISTS (
    SELECT FROM whence.memberships m WHERE m.user_id = users.id AND m.org_id = whence.current_org()));
GRANT SELECT ON whence.users TO whence_app;

-- Row-level security is forced, so it binds an owner of these tables that is no superuser as well:
-- this lets it make the local organization at the first start, and nothing else.
CREATE POLICY installer ON whence.organizations TO CURRENT_USER USING (is_local) WITH CHECK (is_local);
CREATE POLICY installer ON whence.memberships TO CURRENT_USER
    USING (EXISTS (SELECT FROM whence.organizations o WHERE o.org_id = memberships.org_id AND o.is_local))
    WITH CHECK (EXISTS (SELECT FROM whence.organizations o WHERE o.org_id = memberships.org_id AND o.is_local));
CREATE POLICY installer ON whence.users TO CURRENT_USER USING (true) WITH CHECK (true);

CREATE TABLE whence.api_tokens (
    org_id       uuid NOT NULL,
    id           uuid NOT NULL,
    user_id      uuid NOT NULL,
    name         text NOT NULL,
    kind         text NOT NULL CHECK (kind IN ('api', 'session', 'sign_in')),
    prefix       text NOT NULL,
    token_hash   bytea NOT NULL UNIQUE,
    scopes       text[] NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    expires_at   timestamptz,
    last_used_at timestamptz,
    revoked_at   timestamptz,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, user_id) REFERENCES whence.memberships ON DELETE CASCADE
);
SELECT whence.protect('whence.api_tokens');
-- Before a tenant is known, a caller may read exactly the token whose hash it presents.
CREATE POLICY bearer ON whence.api_tokens FOR SELECT
    USING (token_hash = decode(nullif(current_setting('whence.token_hash', true), ''), 'hex'));

-- events --------------------------------------------------------------------------------------

CREATE TABLE whence.streams (
    org_id    uuid NOT NULL,
    stream_id uuid NOT NULL,
    last_seq  bigint NOT NULL,
    PRIMARY KEY (org_id, stream_id)
);
SELECT whence.protect('whence.streams');

CREATE TABLE whence.events (
    org_id    uuid NOT NULL,
    stream_id uuid NOT NULL,
    seq       bigint NOT NULL,
    type      text NOT NULL,
    payload   jsonb NOT NULL,
    at        timestamptz NOT NULL,
    PRIMARY KEY (org_id, stream_id, seq)
);
SELECT whence.protect('whence.events', 'SELECT, INSERT, DELETE');

-- Append one event; the stream's row lock makes `seq` dense and in commit order.
CREATE FUNCTION whence.append_event(stream uuid, kind text, body jsonb) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE n bigint;
BEGIN
    INSERT INTO whence.streams (org_id, stream_id, last_seq) VALUES (whence.current_org(), stream, 1)
        ON CONFLICT (org_id, stream_id) DO UPDATE SET last_seq = streams.last_seq + 1
        RETURNING last_seq INTO n;
    INSERT INTO whence.events (org_id, stream_id, seq, type, payload, at)
        VALUES (whence.current_org(), stream, n, kind, body, clock_timestamp());
    PERFORM pg_notify('whence_events', stream || ':' || n);
    RETURN n;
END $$;

-- Events after a cursor, for a reader that opens no transaction of its own.
CREATE FUNCTION whence.read_events(org uuid, stream uuid, after bigint, most int)
RETURNS TABLE (seq bigint, type text, payload jsonb, at timestamptz) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('whence.org_id', org::text, true);
    RETURN QUERY SELECT e.seq, e.type, e.payload, e.at FROM whence.events e
        WHERE e.org_id = org AND e.stream_id = stream AND e.seq > after ORDER BY e.seq LIMIT most;
END $$;

GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA whence TO whence_app;
