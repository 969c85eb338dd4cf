-- As append_event, for events that follow one another: the last one's number, and the time of all.
CREATE FUNCTION whence.append_events(stream uuid, told jsonb, OUT seq bigint, OUT at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE many int := jsonb_array_length(told);
BEGIN
    at := clock_timestamp();
    INSERT INTO whence.streams AS t (org_id, stream_id, last_seq)
        VALUES (whence.current_org(), stream, many)
        ON CONFLICT (org_id, stream_id) DO UPDATE SET last_seq = t.last_seq + many
        RETURNING t.last_seq INTO seq;
    INSERT INTO whence.events (org_id, stream_id, seq, type, payload, at)
        SELECT whence.current_org(), stream, append_events.seq - many + e.n, e.v->>'type', e.v->'payload',
            append_events.at
        FROM jsonb_array_elements(told) WITH ORDINALITY AS e (v, n);
    PERFORM pg_notify('whence_events', stream || ':' || seq);
END $$;

GRANT EXECUTE ON FUNCTION whence.append_events(uuid, jsonb) TO whence_app;
