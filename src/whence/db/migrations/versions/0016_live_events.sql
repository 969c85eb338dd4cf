-- As append_turn_events, which processes of the version before still call: the live events of many
-- turns at once, written together, each stream's readers woken once.  `seq` is that of the turn's
-- last event, and null where the turn is under way no more and nothing of it was written.
CREATE FUNCTION whence.write_turn_events(items jsonb)
RETURNS TABLE (turn uuid, seq bigint, at timestamptz) LANGUAGE plpgsql AS $$
DECLARE org uuid;
DECLARE woken uuid;
BEGIN
    -- In one order for every process: two that write the same streams would lock each other out.
    FOR org IN SELECT DISTINCT (v->>'org')::uuid FROM jsonb_array_elements(items->'items') AS v ORDER BY 1
    LOOP
        PERFORM set_config('whence.org_id', org::text, true);
        FOR turn, seq, at, woken IN
            WITH asked AS MATERIALIZED (
                SELECT (v->>'stream')::uuid AS stream, (v->>'turn')::uuid AS turn, v->'events' AS events,
                    jsonb_array_length(v->'events') AS many
                FROM jsonb_array_elements(items->'items') AS v WHERE (v->>'org')::uuid = org
            ), held AS MATERIALIZED (
                -- Whoever ends the turn waits until this is written, and whoever comes later finds it ended.
                SELECT a.stream, a.turn, a.events, a.many FROM asked a JOIN whence.chat_sessions s
                    ON s.org_id = org AND s.id = a.stream AND s.turn_id = a.turn
                ORDER BY s.id FOR SHARE OF s
            ), grown AS (
                INSERT INTO whence.streams AS t (org_id, stream_id, last_seq)
                    SELECT org, h.stream, h.many FROM held h ORDER BY h.stream
                ON CONFLICT (org_id, stream_id) DO UPDATE SET last_seq = t.last_seq + excluded.last_seq
                RETURNING t.stream_id, t.last_seq
            ), written AS (
                INSERT INTO whence.events (org_id, stream_id, seq, type, payload, at)
                SELECT org, h.stream, g.last_seq - h.many + e.n, e.v->>'type', e.v->'payload',
                    statement_timestamp()
                FROM held h JOIN grown g ON g.stream_id = h.stream,
                    jsonb_array_elements(h.events) WITH ORDINALITY AS e (v, n)
            )
            SELECT a.turn, g.last_seq, statement_timestamp(), g.stream_id
            FROM asked a LEFT JOIN held h ON h.turn = a.turn LEFT JOIN grown g ON g.stream_id = h.stream
        LOOP
            IF woken IS NOT NULL THEN
                PERFORM pg_notify('whence_events', woken || ':' || seq);
            END IF;
            RETURN NEXT;
        END LOOP;
    END LOOP;
END $$;

GRANT EXECUTE ON FUNCTION whence.write_turn_events(jsonb) TO whence_app;
