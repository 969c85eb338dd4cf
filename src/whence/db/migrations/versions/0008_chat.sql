-- Conversations about records: sessions and their messages.
--
-- A session belongs to one person of one organization, and goes when that person leaves it.  Deleting
-- a session deletes its messages and leaves a row without words, so that what points at it (a
-- proposal, a wizard's run) still knows where it came from.

CREATE TABLE whence.chat_sessions (
    org_id        uuid NOT NULL,
    id            uuid NOT NULL,
    user_id       uuid NOT NULL,
    kind          text,
    subject_id    uuid,
    page          jsonb NOT NULL DEFAULT '{}',
    title         text NOT NULL DEFAULT '',
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    deleted_at    timestamptz,
    message_count int NOT NULL DEFAULT 0,
    turn_id       uuid,
    turn_lease    timestamptz,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, user_id) REFERENCES whence.memberships ON DELETE CASCADE,
    CHECK ((kind IS NULL) = (subject_id IS NULL)),
    CHECK ((turn_id IS NULL) = (turn_lease IS NULL))
);
CREATE INDEX chat_sessions_of_user ON whence.chat_sessions (org_id, user_id, updated_at DESC, id DESC)
    WHERE deleted_at IS NULL;
CREATE INDEX chat_sessions_of_subject
    ON whence.chat_sessions (org_id, user_id, kind, subject_id, updated_at DESC, id DESC)
    WHERE deleted_at IS NULL;
-- Few at a time: those whose answer is being written.
CREATE INDEX chat_turns_under_way ON whence.chat_sessions (org_id, user_id, turn_lease)
    WHERE turn_lease IS NOT NULL;
SELECT whence.protect('whence.chat_sessions');

CREATE TABLE whence.chat_messages (
    org_id            uuid NOT NULL,
    id                uuid NOT NULL,
    session_id        uuid NOT NULL,
    ordinal           int NOT NULL CHECK (ordinal > 0),
    role              text NOT NULL CHECK (role IN ('user', 'assistant', 'notice')),
    content           text NOT NULL,
    client_message_id text,
    turn_id           uuid,
    reply_to          uuid,
    superseded_by     uuid,
    status            text NOT NULL
        CHECK (status IN ('streaming', 'complete', 'stopped', 'interrupted', 'failed')),
    intent            text,
    method            text,
    citations         jsonb NOT NULL DEFAULT '[]',
    tool_calls        jsonb NOT NULL DEFAULT '[]',
    actions           jsonb NOT NULL DEFAULT '[]',
    meta              jsonb NOT NULL DEFAULT '{}',
    created_at        timestamptz NOT NULL,
    completed_at      timestamptz,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, session_id, ordinal),
    FOREIGN KEY (org_id, session_id) REFERENCES whence.chat_sessions ON DELETE CASCADE
);
-- The same message sent twice is one message, whatever the program forgets.
CREATE UNIQUE INDEX one_chat_message_per_client_id
    ON whence.chat_messages (org_id, session_id, role, client_message_id)
    WHERE client_message_id IS NOT NULL;
-- One answer at a time.
CREATE UNIQUE INDEX one_chat_answer_under_way ON whence.chat_messages (org_id, session_id)
    WHERE status = 'streaming';
CREATE INDEX chat_answers_to ON whence.chat_messages (org_id, session_id, reply_to)
    WHERE reply_to IS NOT NULL;
SELECT whence.protect('whence.chat_messages');

-- The words of a conversation also stand in its events: they go with it.  The function acts with its
-- caller's rights, for the organization of the row that the caller was let delete.
CREATE FUNCTION whence.forget_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE tenant text := current_setting('whence.org_id', true);
BEGIN
    PERFORM set_config('whence.org_id', OLD.org_id::text, true);
    DELETE FROM whence.events WHERE org_id = OLD.org_id AND stream_id = OLD.id;
    PERFORM set_config('whence.org_id', coalesce(tenant, ''), true);
    RETURN NULL;
END $$;
CREATE TRIGGER forget_events AFTER DELETE ON whence.chat_sessions
    FOR EACH ROW EXECUTE FUNCTION whence.forget_conversation();
CREATE TRIGGER forget_deleted_events AFTER UPDATE OF deleted_at ON whence.chat_sessions
    FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL)
    EXECUTE FUNCTION whence.forget_conversation();
