-- Events of messages are flat, and an answer that begins has an event of its own.  Forced row-level
-- security would hide the rows from an owner that is no superuser; it is forced again in the same
-- transaction.
ALTER TABLE whence.events NO FORCE ROW LEVEL SECURITY;
UPDATE whence.events SET type = 'answer_started', payload = jsonb_build_object(
        'messageId', payload #> '{message,id}', 'replyTo', payload #> '{message,replyTo}',
        'turnId', payload #> '{message,turnId}', 'ordinal', payload #> '{message,ordinal}')
    WHERE type = 'message' AND payload #>> '{message,status}' = 'streaming';
UPDATE whence.events SET payload = payload -> 'message' WHERE type = 'message' AND payload ? 'message';
ALTER TABLE whence.events FORCE ROW LEVEL SECURITY;
