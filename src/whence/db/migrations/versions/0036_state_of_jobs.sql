-- A JSON value of the same shape without these ids and names, in texts and in keys: an id becomes
-- the nil UUID, which stays readable as an id, and what the pattern `names` finds becomes [erased].
CREATE FUNCTION whence.without_mentions(value jsonb, ids uuid[], names text) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE content text; mentioned uuid;
BEGIN
    CASE jsonb_typeof(value)
        WHEN 'object' THEN
            RETURN (SELECT coalesce(jsonb_object_agg(
                    whence.without_mentions(to_jsonb(e.key), ids, names) #>> '{}',
                    whence.without_mentions(e.value, ids, names)), '{}')
                FROM jsonb_each(value) AS e);
        WHEN 'array' THEN
            RETURN (SELECT coalesce(jsonb_agg(
                    whence.without_mentions(e.value, ids, names) ORDER BY e.n), '[]')
                FROM jsonb_array_elements(value) WITH ORDINALITY AS e (value, n));
        WHEN 'string' THEN
            content := value #>> '{}';
            FOR mentioned IN SELECT unnest(whence.ids_in(content)) INTERSECT SELECT unnest(ids) LOOP
                content := regexp_replace(content, mentioned::text, '00000000-0000-0000-0000-000000000000', 'gi');
            END LOOP;
            IF names <> '' THEN
                content := regexp_replace(content, names, '[erased]', 'gi');
            END IF;
            RETURN to_jsonb(content);
        ELSE
            RETURN value;
    END CASE;
END $$;

REVOKE EXECUTE ON FUNCTION whence.without_mentions(jsonb, uuid[], text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.without_mentions(jsonb, uuid[], text) TO whence_app;
