-- Changes that an agent suggests and a person applies, once.
--
-- There is no state between `proposed` and `applied`: the record's change, the proposal's state and
-- the line in the audit log are one transaction (docs/adr/0019).

CREATE TABLE whence.proposals (
    org_id          uuid NOT NULL,
    id              uuid NOT NULL,
    user_id         uuid NOT NULL,
    kind            text NOT NULL,
    subject_id      uuid NOT NULL,
    subject_version int NOT NULL,
    -- The whole record as it was when this was proposed, so that a refusal can tell what changed.
    seen            jsonb NOT NULL,
    after           jsonb NOT NULL,
    reason          text NOT NULL,
    evidence        uuid[] NOT NULL,
    claims          text[] NOT NULL,
    digest          text NOT NULL,
    -- A conversation may be deleted, what it proposed stays: no foreign keys.
    chat_session_id uuid,
    message_id      uuid,
    status          text NOT NULL DEFAULT 'proposed'
                    CHECK (status IN ('proposed', 'applied', 'undone', 'declined')),
    created_at      timestamptz NOT NULL,
    expires_at      timestamptz NOT NULL,
    applied_at      timestamptz,
    applied_version int,
    applied_reason  text,
    undone_at       timestamptz,
    undone_version  int,
    undone_reason   text,
    declined_at     timestamptz,
    PRIMARY KEY (org_id, id),
    CHECK ((status IN ('applied', 'undone'))
           = (applied_at IS NOT NULL AND applied_version IS NOT NULL AND applied_reason IS NOT NULL)),
    CHECK ((status = 'undone')
           = (undone_at IS NOT NULL AND undone_version IS NOT NULL AND undone_reason IS NOT NULL)),
    CHECK ((status = 'declined') = (declined_at IS NOT NULL))
);
CREATE INDEX proposals_of_subject ON whence.proposals (org_id, kind, subject_id, created_at DESC, id DESC);
-- What was proposed is never changed; only what became of it.
SELECT whence.protect('whence.proposals', 'SELECT, INSERT');
GRANT UPDATE (status, applied_at, applied_version, applied_reason, undone_at, undone_version,
              undone_reason, declined_at) ON whence.proposals TO whence_app;

-- Each step is taken once, whatever the program forgets.
CREATE FUNCTION whence.proposal_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.status, NEW.status) NOT IN
            (('proposed', 'applied'), ('proposed', 'declined'), ('applied', 'undone')) THEN
        RAISE EXCEPTION 'a proposal that is % cannot become %', OLD.status, NEW.status
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER proposal_step BEFORE UPDATE ON whence.proposals
    FOR EACH ROW EXECUTE FUNCTION whence.proposal_step();
