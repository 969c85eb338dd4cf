-- True erasure: what remains says that something was erased, and nothing of what it was.

CREATE TABLE whence.erasures (
    org_id     uuid NOT NULL,
    id         uuid NOT NULL,
    -- A kind of record, or `person`.
    kind       text NOT NULL,
    subject_id uuid NOT NULL,
    reason     text NOT NULL,
    erased_by  uuid NOT NULL,
    erased_at  timestamptz NOT NULL,
    -- Rows by table: removed or emptied, and evidence that stays because other research uses it.
    removed    jsonb NOT NULL DEFAULT '{}',
    kept       jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (org_id, id)
);
CREATE INDEX erasures_of_subject ON whence.erasures (org_id, kind, subject_id);
CREATE INDEX erasures_newest ON whence.erasures (org_id, erased_at DESC, id DESC);
SELECT whence.protect('whence.erasures', 'SELECT, INSERT');
GRANT UPDATE (removed, kept) ON whence.erasures TO whence_app;

-- The ids that stand in a text.
CREATE FUNCTION whence.ids_in(content text) RETURNS uuid[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce(array_agg(m[1]::uuid), '{}') FROM regexp_matches(content,
        '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'gi') AS m
$$;

-- The application may not delete from most tables.  These functions do it for an erasure that was
-- written down in the same transaction by an owner, and in the organization worked for only.
CREATE FUNCTION whence.require_erasure(erasure uuid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM whence.erasures e JOIN whence.memberships m
            ON m.org_id = e.org_id AND m.user_id = e.erased_by AND m.role = 'owner'
            WHERE e.org_id = whence.current_org() AND e.id = erasure
                AND e.xmin = pg_current_xact_id_if_assigned()::xid) THEN
        RAISE EXCEPTION 'there is no erasure % under way', erasure USING ERRCODE = 'insufficient_privilege';
    END IF;
END $$;

-- Delete the rows of a tenant table whose `key` is one of `ids`; how many there were.
CREATE FUNCTION whence.erase_rows(erasure uuid, target text, key text, ids text[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n bigint; of_type text;
BEGIN
    PERFORM whence.require_erasure(erasure);
    IF NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = target::regclass AND p.polname = 'tenant') THEN
        RAISE EXCEPTION '% is no table of an organization', target USING ERRCODE = 'insufficient_privilege';
    END IF;
    SELECT format_type(a.atttypid, NULL) INTO STRICT of_type FROM pg_attribute a
        WHERE a.attrelid = target::regclass AND a.attname = key AND NOT a.attisdropped;
    EXECUTE format('DELETE FROM %s WHERE org_id = whence.current_org() AND %I = ANY ($1::%s[])',
        target::regclass, key, of_type) USING ids;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

-- The checkpoints of runs of the organization worked for.
CREATE FUNCTION whence.erase_checkpoints(erasure uuid, runs text[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n bigint; ours text[];
BEGIN
    PERFORM whence.require_erasure(erasure);
    SELECT array_agg(r.id::text) INTO ours FROM whence.runs r
        WHERE r.org_id = whence.current_org() AND r.id = ANY (runs::uuid[]);
    DELETE FROM checkpoints.checkpoint_writes WHERE thread_id = ANY (ours);
    DELETE FROM checkpoints.checkpoint_blobs WHERE thread_id = ANY (ours);
    DELETE FROM checkpoints.checkpoints WHERE thread_id = ANY (ours);
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

-- Files that no row names any more.
CREATE FUNCTION whence.erase_files(erasure uuid, digests text[]) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM whence.require_erasure(erasure);
    RETURN QUERY EXECUTE format(
        'DELETE FROM whence.files f WHERE f.org_id = whence.current_org() AND f.digest = ANY ($1) AND %s'
        ' RETURNING f.digest', whence.file_is_unnamed()) USING digests;
END $$;

-- A JSON value without what the pattern finds in its texts; keys stay.
CREATE FUNCTION whence.redacted(value jsonb, pattern text) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN CASE jsonb_typeof(value)
        WHEN 'object' THEN (SELECT coalesce(jsonb_object_agg(e.key, whence.redacted(e.value, pattern)), '{}')
            FROM jsonb_each(value) AS e)
        WHEN 'array' THEN (SELECT coalesce(jsonb_agg(whence.redacted(e.value, pattern) ORDER BY e.n), '[]')
            FROM jsonb_array_elements(value) WITH ORDINALITY AS e (value, n))
        WHEN 'string' THEN to_jsonb(regexp_replace(value #>> '{}', pattern, '[erased]', 'gi'))
        ELSE value
    END;
END $$;

-- Lines of the audit log stay, without what they told of these subjects, and without these names.
CREATE FUNCTION whence.erase_audit(erasure uuid, subjects text[], names text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n bigint; m bigint;
BEGIN
    PERFORM whence.require_erasure(erasure);
    UPDATE whence.audit_log SET detail = jsonb_build_object('erased', erasure)
        WHERE org_id = whence.current_org() AND subject_id = ANY (subjects::uuid[])
        AND NOT detail ? 'erased';
    GET DIAGNOSTICS n = ROW_COUNT;
    IF names = '' THEN
        RETURN n;
    END IF;
    UPDATE whence.audit_log SET detail = whence.redacted(detail, names)
        WHERE org_id = whence.current_org() AND detail <> whence.redacted(detail, names);
    GET DIAGNOSTICS m = ROW_COUNT;
    RETURN n + m;
END $$;

-- A person's account, where no other organization has them: the row stays for its id.
CREATE FUNCTION whence.erase_account(erasure uuid, person uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM whence.require_erasure(erasure);
    IF NOT EXISTS (SELECT FROM whence.erasures e WHERE e.org_id = whence.current_org()
            AND e.id = erasure AND e.kind = 'person' AND e.subject_id = person)
        OR NOT EXISTS (SELECT FROM whence.memberships m WHERE m.org_id = whence.current_org() AND m.user_id = person) THEN
        RAISE EXCEPTION 'this erasure is of somebody else' USING ERRCODE = 'insufficient_privilege';
    END IF;
    DELETE FROM whence.memberships WHERE org_id = whence.current_org() AND user_id = person;
    IF EXISTS (SELECT FROM whence.memberships m WHERE m.user_id = person) THEN
        RETURN false;
    END IF;
    DELETE FROM whence.passwords WHERE user_id = person;
    DELETE FROM whence.password_links WHERE user_id = person;
    UPDATE whence.users SET name = '[erased]', email = 'erased-' || person || '@invalid' WHERE id = person;
    RETURN true;
END $$;

REVOKE EXECUTE ON FUNCTION whence.require_erasure(uuid), whence.redacted(jsonb, text), whence.erase_rows(uuid, text, text, text[]),
    whence.erase_checkpoints(uuid, text[]), whence.erase_files(uuid, text[]),
    whence.erase_audit(uuid, text[], text), whence.erase_account(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.erase_rows(uuid, text, text, text[]),
    whence.erase_checkpoints(uuid, text[]), whence.erase_files(uuid, text[]),
    whence.erase_audit(uuid, text[], text), whence.erase_account(uuid, uuid) TO whence_app;
