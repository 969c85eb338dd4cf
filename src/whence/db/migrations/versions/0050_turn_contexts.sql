-- What a model was sent for an answer of a conversation and what it replied, or what rules read.  Only
-- the person of the conversation reads it; it is kept as long as the prompts of runs.
CREATE TABLE whence.turn_contexts (
    org_id     uuid NOT NULL DEFAULT whence.current_org(),
    message_id uuid NOT NULL,
    session_id uuid NOT NULL,
    -- {messages, answer, is_shortened}; null: no model was asked.
    model      jsonb,
    -- [{title, entries}]; null: rules had no part in it.
    rules      jsonb,
    at         timestamptz NOT NULL,
    PRIMARY KEY (org_id, message_id),
    FOREIGN KEY (org_id, message_id) REFERENCES whence.chat_messages ON DELETE CASCADE
);
CREATE INDEX turn_contexts_of_session ON whence.turn_contexts (org_id, session_id);
CREATE INDEX turn_contexts_at ON whence.turn_contexts (at);
SELECT whence.protect('whence.turn_contexts', 'SELECT, INSERT');

CREATE POLICY retention ON whence.turn_contexts TO CURRENT_USER USING (true);

CREATE FUNCTION whence.prune_turn_contexts(made_before timestamptz, most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n int;
BEGIN
    WITH due AS (
        SELECT org_id, message_id FROM whence.turn_contexts
            WHERE at < made_before ORDER BY at LIMIT most FOR UPDATE SKIP LOCKED
    )
    DELETE FROM whence.turn_contexts c USING due
        WHERE c.org_id = due.org_id AND c.message_id = due.message_id;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

REVOKE EXECUTE ON FUNCTION whence.prune_turn_contexts(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.prune_turn_contexts(timestamptz, int) TO whence_app;
