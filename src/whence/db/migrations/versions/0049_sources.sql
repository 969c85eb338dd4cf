-- Requests to outside sources by day (UTC), of research, conversations and tests.  They name no
-- record and no person.
CREATE TABLE whence.source_days (
    org_id   uuid NOT NULL,
    day      date NOT NULL,
    source   text NOT NULL,
    requests int NOT NULL DEFAULT 0,
    failures int NOT NULL DEFAULT 0,
    PRIMARY KEY (org_id, day, source)
);
SELECT whence.protect('whence.source_days');

-- What a source answered last.
CREATE TABLE whence.source_states (
    org_id      uuid NOT NULL,
    source      text NOT NULL,
    answered_at timestamptz,
    -- Since when it has failed without an answer in between; null: it answered.
    failing_since timestamptz,
    is_away     boolean NOT NULL DEFAULT false,
    error       text,
    PRIMARY KEY (org_id, source)
);
SELECT whence.protect('whence.source_states');

-- Spending is added up by day.
CREATE INDEX model_calls_of_day ON whence.model_calls (org_id, at);
