-- Turns of conversations: their live events, and the research that they asked for.

-- Live events of many turns in one call: [{org, stream, turn, events: [{type, payload}]}].
-- Returns the turns that are under way no more; nothing of theirs is written.
CREATE FUNCTION whence.append_turn_events(items jsonb) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
DECLARE item record;
DECLARE event jsonb;
BEGIN
    -- In one order for every process: two that write the same streams would lock each other out.
    FOR item IN SELECT (v->>'org')::uuid AS org, (v->>'stream')::uuid AS stream,
            (v->>'turn')::uuid AS turn, v->'events' AS events
        FROM jsonb_array_elements(items->'items') AS v ORDER BY 1, 2
    LOOP
        PERFORM set_config('whence.org_id', item.org::text, true);
        -- Whoever ends the turn waits until this is written, and whoever comes later finds it ended.
        PERFORM FROM whence.chat_sessions WHERE org_id = item.org AND id = item.stream AND turn_id = item.turn
            FOR SHARE;
        IF NOT FOUND THEN
            RETURN NEXT item.turn;
            CONTINUE;
        END IF;
        FOR event IN SELECT * FROM jsonb_array_elements(item.events) LOOP
            PERFORM whence.append_event(item.stream, event->>'type', event->'payload');
        END LOOP;
    END LOOP;
END $$;

-- What was said of an answer that is not stored yet, up to an event.
CREATE FUNCTION whence.said_so_far(session uuid, message uuid, up_to bigint) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT coalesce(string_agg(e.payload->>'token', '' ORDER BY e.seq), '') FROM whence.events e
    WHERE e.org_id = whence.current_org() AND e.stream_id = session AND e.seq <= up_to AND e.type = 'token'
        AND e.payload->>'messageId' = message::text
$$;

-- Research that was asked for in a conversation, until its outcome has been told there.
CREATE TABLE whence.chat_followings (
    org_id     uuid NOT NULL,
    id         uuid NOT NULL,
    session_id uuid NOT NULL,
    run_id     uuid NOT NULL,
    user_id    uuid NOT NULL,
    told_seq   bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    done_at    timestamptz,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, session_id, run_id),
    FOREIGN KEY (org_id, session_id) REFERENCES whence.chat_sessions ON DELETE CASCADE
);
CREATE INDEX chat_followings_open ON whence.chat_followings (created_at) WHERE done_at IS NULL;
SELECT whence.protect('whence.chat_followings');

-- For the processes that tend conversations, before a tenant is known: ids only.
CREATE FUNCTION whence.open_followings() RETURNS TABLE (org_id uuid, id uuid, run_id uuid, told_seq bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT f.org_id, f.id, f.run_id, f.told_seq FROM whence.chat_followings f
        WHERE f.done_at IS NULL ORDER BY f.created_at LIMIT 1000;
END $$;

CREATE FUNCTION whence.overdue_turns() RETURNS TABLE (org_id uuid, session_id uuid, user_id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT s.org_id, s.id, s.user_id FROM whence.chat_sessions s
        WHERE s.turn_lease < clock_timestamp() LIMIT 1000;
END $$;

REVOKE EXECUTE ON FUNCTION whence.open_followings(), whence.overdue_turns() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.append_turn_events(jsonb), whence.said_so_far(uuid, uuid, bigint),
    whence.open_followings(), whence.overdue_turns() TO whence_app;
