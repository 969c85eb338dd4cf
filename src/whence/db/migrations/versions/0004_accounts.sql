-- Accounts: passwords, sessions, invitations, and the limits on guessing.
--
-- The application's role can read no password, no key and no link from a table: passwords,
-- password_links and signing_keys carry no privilege for it at all.  What it needs is done by the
-- functions below, each of which asks for the secret whose holder may have the answer.

CREATE TABLE whence.passwords (
    user_id    uuid PRIMARY KEY REFERENCES whence.users ON DELETE CASCADE,
    salt       bytea NOT NULL,
    parameters text NOT NULL,
    digest     bytea NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
);

-- One-time links that set a password, kept by their hash.
CREATE TABLE whence.password_links (
    token_hash bytea PRIMARY KEY,
    user_id    uuid NOT NULL REFERENCES whence.users ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
);

-- Keys that sign access tokens; the one without an end is in use.
CREATE TABLE whence.signing_keys (
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    secret     bytea NOT NULL CHECK (length(secret) = 32),
    created_at timestamptz NOT NULL DEFAULT now(),
    ends_at    timestamptz
);
CREATE UNIQUE INDEX one_signing_key ON whence.signing_keys ((true)) WHERE ends_at IS NULL;

-- How often somebody guessed wrong; `key` is a SHA-256 of account, address or device.
CREATE TABLE whence.sign_in_tries (
    key          bytea PRIMARY KEY,
    level        double precision NOT NULL,
    at           timestamptz NOT NULL,
    succeeded_at timestamptz
);
CREATE INDEX tries_by_time ON whence.sign_in_tries (at);

CREATE TABLE whence.sessions (
    org_id        uuid NOT NULL,
    id            uuid NOT NULL,
    user_id       uuid NOT NULL,
    label         text NOT NULL,
    family_hash   bytea NOT NULL UNIQUE,
    secret_hash   bytea NOT NULL,
    previous_hash bytea,
    nonce         bytea,
    rotated_at    timestamptz,
    created_at    timestamptz NOT NULL,
    last_used_at  timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    ended_at      timestamptz,
    ended_by      text,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, user_id) REFERENCES whence.memberships ON DELETE CASCADE
);
CREATE INDEX sessions_of_user ON whence.sessions (org_id, user_id);
SELECT whence.protect('whence.sessions');
-- Before a tenant is known, a caller may read exactly the session whose refresh secret it presents.
CREATE POLICY refresher ON whence.sessions FOR SELECT
    USING (family_hash = decode(nullif(current_setting('whence.family_hash', true), ''), 'hex'));

CREATE TABLE whence.invitations (
    org_id       uuid NOT NULL,
    id           uuid NOT NULL,
    email        text NOT NULL,
    role         text NOT NULL CHECK (role IN ('owner', 'member', 'viewer')),
    token_hash   bytea NOT NULL UNIQUE,
    invited_by   uuid NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    accepted_at  timestamptz,
    withdrawn_at timestamptz,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, invited_by) REFERENCES whence.memberships ON DELETE CASCADE
);
SELECT whence.protect('whence.invitations');
-- Before a tenant is known, a caller may read exactly the invitation whose secret it presents.
CREATE POLICY invited ON whence.invitations FOR SELECT
    USING (token_hash = decode(nullif(current_setting('whence.invitation_hash', true), ''), 'hex'));

-- A token that a token made ends with it.
ALTER TABLE whence.api_tokens ADD COLUMN parent_id uuid;
CREATE INDEX tokens_of_token ON whence.api_tokens (org_id, parent_id) WHERE parent_id IS NOT NULL;

-- Row-level security on what has no organization ------------------------------------------------

DO $$
DECLARE t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['passwords', 'password_links', 'signing_keys', 'sign_in_tries'] LOOP
        EXECUTE format('ALTER TABLE whence.%I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('ALTER TABLE whence.%I FORCE ROW LEVEL SECURITY', t);
    END LOOP;
    -- Row-level security is forced, so it binds an owner of these tables that is no superuser as
    -- well: this lets the functions below and the operator's commands work as that owner.
    FOREACH t IN ARRAY ARRAY['passwords', 'password_links', 'signing_keys', 'sign_in_tries', 'sessions',
            'invitations', 'organizations', 'memberships', 'users', 'api_tokens', 'audit_log'] LOOP
        EXECUTE format('CREATE POLICY operator ON whence.%I TO CURRENT_USER USING (true) WITH CHECK (true)', t);
    END LOOP;
END $$;

-- A browser is signed in by a session now.
DELETE FROM whence.api_tokens WHERE kind = 'session';
ALTER TABLE whence.api_tokens DROP CONSTRAINT api_tokens_kind_check;
ALTER TABLE whence.api_tokens ADD CONSTRAINT api_tokens_kind_check CHECK (kind IN ('api', 'sign_in'));

-- The application sees the counters whose keys it presents, so none of an account it cannot name.
CREATE POLICY presented ON whence.sign_in_tries
    USING (encode(key, 'hex') = ANY (string_to_array(current_setting('whence.try_keys', true), ',')))
    WITH CHECK (encode(key, 'hex') = ANY (string_to_array(current_setting('whence.try_keys', true), ',')));
GRANT SELECT, INSERT, UPDATE ON whence.sign_in_tries TO whence_app;

INSERT INTO whence.signing_keys (secret) VALUES (sha256(
    uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- What the application may ask across organizations ----------------------------------------------

-- What one needs to compute a password's digest.  The digest itself never leaves the database.
CREATE FUNCTION whence.password_salt(mail text) RETURNS TABLE (salt bytea, parameters text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT p.salt, p.parameters FROM whence.passwords p JOIN whence.users u ON u.id = p.user_id
    WHERE lower(u.email) = lower(mail);
$$;

-- The organizations of a user, to whoever knows the password.
CREATE FUNCTION whence.verify_password(mail text, given bytea)
RETURNS TABLE (user_id uuid, org_id uuid, organization text, role text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT u.id, m.org_id, o.name, m.role
    FROM whence.users u
    JOIN whence.passwords p ON p.user_id = u.id AND p.digest = given
    JOIN whence.memberships m ON m.user_id = u.id
    JOIN whence.organizations o ON o.org_id = m.org_id
    WHERE lower(u.email) = lower(mail) ORDER BY m.created_at, m.org_id;
$$;

-- Another password, by whoever knows the present one.
CREATE FUNCTION whence.replace_password(member uuid, old bytea, new_salt bytea, new_parameters text, new_digest bytea)
RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH done AS (
        UPDATE whence.passwords SET salt = new_salt, parameters = new_parameters, digest = new_digest,
            changed_at = now() WHERE user_id = member AND digest = old RETURNING 1)
    SELECT EXISTS (SELECT FROM done);
$$;

-- The organizations of a fellow member of the organization worked for.
CREATE FUNCTION whence.organizations_of(member uuid) RETURNS TABLE (org_id uuid, name text, role text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT m.org_id, o.name, m.role FROM whence.memberships m JOIN whence.organizations o USING (org_id)
    WHERE m.user_id = member AND EXISTS (SELECT FROM whence.memberships f
        WHERE f.user_id = member AND f.org_id = whence.current_org())
    ORDER BY m.created_at, m.org_id;
$$;

-- The owners of the organization worked for who have a password.
CREATE FUNCTION whence.owners_with_password() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT m.user_id FROM whence.memberships m JOIN whence.passwords p ON p.user_id = m.user_id
    WHERE m.org_id = whence.current_org() AND m.role = 'owner';
$$;

-- A line in the audit log of every organization of an account.
CREATE FUNCTION whence.audit_account(mail text, what text, told jsonb)
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO whence.audit_log (org_id, id, user_id, action, kind, subject_id, detail, at)
    SELECT m.org_id, gen_random_uuid(), u.id, what, 'account', u.id, told, now()
    FROM whence.users u JOIN whence.memberships m ON m.user_id = u.id WHERE lower(u.email) = lower(mail);
$$;

-- Use a one-time link: once, in time, and every session of the account ends.  The e-mail, or NULL.
CREATE FUNCTION whence.spend_password_link(link bytea, new_salt bytea, new_parameters text, new_digest bytea)
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE member uuid; mail text;
BEGIN
    UPDATE whence.password_links SET used_at = now()
        WHERE token_hash = link AND used_at IS NULL AND expires_at > now() RETURNING user_id INTO member;
    IF member IS NULL THEN
        RETURN NULL;
    END IF;
    UPDATE whence.password_links SET used_at = now() WHERE user_id = member AND used_at IS NULL;
    INSERT INTO whence.passwords (user_id, salt, parameters, digest)
        VALUES (member, new_salt, new_parameters, new_digest)
        ON CONFLICT (user_id) DO UPDATE SET salt = new_salt, parameters = new_parameters,
            digest = new_digest, changed_at = now();
    UPDATE whence.sessions SET ended_at = now(), ended_by = 'reset' WHERE user_id = member AND ended_at IS NULL;
    PERFORM pg_notify('whence_revocations', member::text);
    SELECT email INTO mail FROM whence.users WHERE id = member;
    PERFORM whence.audit_account(mail, 'reset_password', '{}');
    RETURN mail;
END $$;

-- Whom a one-time link is for, to whoever holds it.
CREATE FUNCTION whence.password_link_of(link bytea) RETURNS TABLE (email text, organizations text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT u.email, ARRAY(SELECT o.name FROM whence.memberships m JOIN whence.organizations o USING (org_id)
        WHERE m.user_id = u.id)
    FROM whence.password_links l JOIN whence.users u ON u.id = l.user_id
    WHERE l.token_hash = link AND l.used_at IS NULL AND l.expires_at > now();
$$;

-- A line in the audit log for a link that opens nothing any more, to whoever holds it.
CREATE FUNCTION whence.audit_dead_link(link bytea, told jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT whence.audit_account(u.email, 'reset_password_failed', told)
    FROM whence.password_links l JOIN whence.users u ON u.id = l.user_id
    WHERE l.token_hash = link AND (l.used_at IS NOT NULL OR l.expires_at <= now());
$$;

-- The session of an account that a browser once had, to whoever holds its refresh secret.
CREATE FUNCTION whence.known_device(family bytea, mail text) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT s.id FROM whence.sessions s JOIN whence.users u ON u.id = s.user_id
    WHERE s.family_hash = family AND lower(u.email) = lower(mail) AND s.ended_by IS DISTINCT FROM 'reuse';
$$;

CREATE FUNCTION whence.signing_key() RETURNS TABLE (id uuid, secret bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT k.id, k.secret FROM whence.signing_keys k WHERE k.ends_at IS NULL;
$$;

CREATE FUNCTION whence.signing_secret(kid uuid) RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT k.secret FROM whence.signing_keys k WHERE k.id = kid AND (k.ends_at IS NULL OR k.ends_at > now());
$$;

-- All that checking an access token needs, in one round trip: its key, and its living session.
CREATE FUNCTION whence.session_state(kid uuid, org uuid, session uuid)
RETURNS TABLE (secret bytea, user_id uuid, role text) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('whence.org_id', org::text, true);
    RETURN QUERY SELECT whence.signing_secret(kid), s.user_id, m.role
        FROM whence.sessions s JOIN whence.memberships m ON m.org_id = s.org_id AND m.user_id = s.user_id
        WHERE s.org_id = org AND s.id = session AND s.ended_at IS NULL AND s.expires_at > now();
END $$;

-- Take an invitation up: once, in time, while the one who invited is an owner.  A new account is
-- made; one that exists gains the membership by its own password, and only by that.
CREATE FUNCTION whence.accept_invitation(
    invitation bytea, fresh uuid, called text, new_salt bytea, new_parameters text, given bytea
) RETURNS TABLE (outcome text, org uuid, member uuid, as_role text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE i whence.invitations; kept bytea;
BEGIN
    SELECT * INTO i FROM whence.invitations v WHERE v.token_hash = invitation FOR UPDATE;
    IF NOT FOUND OR i.accepted_at IS NOT NULL OR i.withdrawn_at IS NOT NULL OR i.expires_at <= now()
            OR NOT EXISTS (SELECT FROM whence.memberships m WHERE m.org_id = i.org_id
                AND m.user_id = i.invited_by AND m.role = 'owner') THEN
        RETURN QUERY SELECT 'unknown', NULL::uuid, NULL::uuid, NULL::text;
        RETURN;
    END IF;
    SELECT u.id INTO member FROM whence.users u WHERE lower(u.email) = lower(i.email) FOR UPDATE;
    IF FOUND THEN
        SELECT p.digest INTO kept FROM whence.passwords p WHERE p.user_id = member;
        IF kept IS NULL OR kept <> given THEN
            RETURN QUERY SELECT 'wrong', NULL::uuid, NULL::uuid, NULL::text;
            RETURN;
        END IF;
    ELSE
        member := fresh;
        INSERT INTO whence.users (id, email, name) VALUES (fresh, i.email, called);
        INSERT INTO whence.passwords (user_id, salt, parameters, digest)
            VALUES (fresh, new_salt, new_parameters, given);
    END IF;
    UPDATE whence.invitations v SET accepted_at = now() WHERE v.org_id = i.org_id AND v.id = i.id;
    INSERT INTO whence.memberships (org_id, user_id, role) VALUES (i.org_id, member, i.role)
        ON CONFLICT DO NOTHING;
    RETURN QUERY SELECT 'accepted', m.org_id, m.user_id, m.role FROM whence.memberships m
        WHERE m.org_id = i.org_id AND m.user_id = member;
END $$;

-- Forget counters that no longer slow anybody down.
CREATE FUNCTION whence.forget_tries() RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DELETE FROM whence.sign_in_tries
    WHERE at < now() - interval '1 day' AND (succeeded_at IS NULL OR succeeded_at < now() - interval '30 days');
$$;

-- Nobody but the application may call what acts with its owner's rights.
DO $$
DECLARE f regprocedure;
BEGIN
    FOR f IN SELECT p.oid::regprocedure FROM pg_proc p
            WHERE p.pronamespace = 'whence'::regnamespace AND p.prosecdef LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    END LOOP;
END $$;

GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA whence TO whence_app;
