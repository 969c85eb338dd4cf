-- Guided forms: runs and their answers.

CREATE TABLE whence.wizard_runs (
    org_id          uuid NOT NULL,
    id              uuid NOT NULL,
    user_id         uuid NOT NULL,
    -- A run keeps to the definition and the version that it began with.
    definition      text NOT NULL,
    version         text NOT NULL,
    status          text NOT NULL CHECK (status IN ('open', 'completed', 'cancelled')),
    -- The number of the last answer; a submit names the one that it was made on.
    revision        int NOT NULL DEFAULT 0,
    kind            text,
    subject_id      uuid,
    chat_session_id uuid,
    -- What was known at the beginning, and from where: a replay must find the same.
    known           jsonb NOT NULL DEFAULT '[]',
    began_on        date NOT NULL,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    expires_at      timestamptz NOT NULL,
    ended_at        timestamptz,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, user_id) REFERENCES whence.memberships ON DELETE CASCADE,
    CHECK ((status = 'open') = (ended_at IS NULL))
);
CREATE INDEX wizard_runs_open ON whence.wizard_runs (org_id, user_id, definition, created_at)
    WHERE status = 'open';
CREATE INDEX wizard_runs_of_chat ON whence.wizard_runs (org_id, chat_session_id)
    WHERE chat_session_id IS NOT NULL;
SELECT whence.protect('whence.wizard_runs');

CREATE TABLE whence.wizard_answers (
    org_id    uuid NOT NULL,
    run_id    uuid NOT NULL,
    revision  int NOT NULL CHECK (revision > 0),
    step_id   text NOT NULL,
    responses jsonb NOT NULL,
    at        timestamptz NOT NULL,
    PRIMARY KEY (org_id, run_id, revision),
    FOREIGN KEY (org_id, run_id) REFERENCES whence.wizard_runs ON DELETE CASCADE
);
-- A history: a changed answer is one more row.
SELECT whence.protect('whence.wizard_answers', 'SELECT, INSERT');
