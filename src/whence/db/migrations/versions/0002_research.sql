-- Runs, evidence, dossiers, and the logs of what was called and changed.

-- runs ----------------------------------------------------------------------------------------

CREATE TABLE whence.runs (
    org_id       uuid NOT NULL,
    id           uuid NOT NULL,
    kind         text NOT NULL,
    subject_id   uuid NOT NULL,
    flow         text NOT NULL,
    flow_version text NOT NULL,
    lane         text NOT NULL DEFAULT 'primary',
    status       text NOT NULL CHECK (status IN ('pending', 'running', 'paused', 'success', 'error', 'cancelled')),
    priority     smallint NOT NULL,
    attempt      int NOT NULL DEFAULT 0,
    failures     int NOT NULL DEFAULT 0,
    current_node text,
    step_count   int NOT NULL DEFAULT 0,
    resumable    boolean NOT NULL DEFAULT true,
    requested_by uuid NOT NULL,
    options      jsonb NOT NULL DEFAULT '{}',
    notice       text,
    resume_at    timestamptz,
    error        jsonb,
    result       jsonb,
    spent_calls  int NOT NULL DEFAULT 0,
    spent_tokens bigint NOT NULL DEFAULT 0,
    spent_usd    double precision NOT NULL DEFAULT 0,
    spent_seconds double precision NOT NULL DEFAULT 0,
    created_at   timestamptz NOT NULL,
    started_at   timestamptz,
    completed_at timestamptz,
    PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX one_active_run ON whence.runs (org_id, kind, subject_id, flow, lane)
    WHERE status IN ('pending', 'running', 'paused');
CREATE INDEX runs_of_subject ON whence.runs (org_id, kind, subject_id, created_at DESC);
SELECT whence.protect('whence.runs', 'SELECT, INSERT, UPDATE');

-- The fencing token: every write of a run calls this first, in its own transaction.  It also names
-- the tenant, so that a fenced write needs one round trip.  The row lock makes a takeover wait until
-- a write under way has ended.
CREATE FUNCTION whence.fence(org uuid, run uuid, token int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE r record;
BEGIN
    PERFORM set_config('whence.org_id', org::text, true);
    SELECT attempt, status INTO r FROM whence.runs WHERE org_id = org AND id = run FOR NO KEY UPDATE;
    IF NOT FOUND OR r.attempt <> token OR r.status <> 'running' THEN
        RAISE EXCEPTION 'stale attempt % of run %', token, run USING ERRCODE = 'WH001';
    END IF;
END $$;

CREATE TABLE whence.run_steps (
    org_id       uuid NOT NULL,
    run_id       uuid NOT NULL,
    ordinal      int NOT NULL,
    node         text NOT NULL,
    attempt      int NOT NULL,
    status       text NOT NULL CHECK (status IN ('running', 'success', 'error', 'paused', 'interrupted')),
    detail       jsonb NOT NULL DEFAULT '{}',
    started_at   timestamptz NOT NULL,
    completed_at timestamptz,
    PRIMARY KEY (org_id, run_id, ordinal),
    FOREIGN KEY (org_id, run_id) REFERENCES whence.runs ON DELETE CASCADE
);
SELECT whence.protect('whence.run_steps');

-- A step's start and its end are one statement each: the fence, the step, the run and the event in
-- one transaction and one round trip.  They are progress, so the commit does not wait for the disk;
-- the checkpoint that follows carries them along.

-- The step's number, or NULL when the run has worked for longer than its budget allows.
CREATE FUNCTION whence.begin_step(
    org uuid, run uuid, token int, name text, at timestamptz, budget double precision, event jsonb
) RETURNS int LANGUAGE plpgsql AS $$
DECLARE n int;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM whence.fence(org, run, token);
    UPDATE whence.runs SET current_node = name, step_count = step_count + 1
        WHERE org_id = org AND id = run AND spent_seconds < budget RETURNING step_count INTO n;
    IF n IS NULL THEN
        RETURN NULL;
    END IF;
    INSERT INTO whence.run_steps (org_id, run_id, ordinal, node, attempt, status, started_at)
        VALUES (org, run, n, name, token, 'running', at);
    PERFORM whence.append_event(run, 'node_started', event || jsonb_build_object('step', n));
    RETURN n;
END $$;

CREATE FUNCTION whence.end_step(
    org uuid, run uuid, token int, n int, ended text, at timestamptz, seconds double precision,
    event jsonb
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM whence.fence(org, run, token);
    UPDATE whence.run_steps SET status = ended, completed_at = at
        WHERE org_id = org AND run_id = run AND ordinal = n;
    UPDATE whence.runs SET spent_seconds = spent_seconds + seconds WHERE org_id = org AND id = run;
    PERFORM whence.append_event(run, 'node_complete', event);
END $$;

-- evidence ------------------------------------------------------------------------------------

CREATE TABLE whence.evidence (
    org_id       uuid NOT NULL,
    id           uuid NOT NULL,
    source       text NOT NULL,
    source_id    text NOT NULL,
    url          text,
    title        text NOT NULL,
    content      text NOT NULL,
    data         jsonb NOT NULL,
    content_hash text NOT NULL,
    observed_at  timestamptz,
    fetched_at   timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, source, source_id, content_hash)
);
-- Immutable: the application may add evidence and read it, never change or remove it.
SELECT whence.protect('whence.evidence', 'SELECT, INSERT');

CREATE TABLE whence.bundle_items (
    org_id      uuid NOT NULL,
    run_id      uuid NOT NULL,
    evidence_id uuid NOT NULL,
    role        text NOT NULL,
    relevance   double precision CHECK (relevance BETWEEN 0 AND 1),
    included    boolean NOT NULL,
    reason      text NOT NULL,
    PRIMARY KEY (org_id, run_id, evidence_id),
    FOREIGN KEY (org_id, run_id) REFERENCES whence.runs ON DELETE CASCADE,
    FOREIGN KEY (org_id, evidence_id) REFERENCES whence.evidence
);
SELECT whence.protect('whence.bundle_items');

CREATE TABLE whence.dossiers (
    org_id         uuid NOT NULL,
    id             uuid NOT NULL,
    run_id         uuid NOT NULL,
    kind           text NOT NULL,
    subject_id     uuid NOT NULL,
    flow           text NOT NULL,
    lane           text NOT NULL,
    schema_version int NOT NULL,
    is_current     boolean NOT NULL,
    is_partial     boolean NOT NULL DEFAULT false,
    summary        text NOT NULL,
    body           jsonb NOT NULL,
    created_at     timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, run_id),
    FOREIGN KEY (org_id, run_id) REFERENCES whence.runs
);
CREATE UNIQUE INDEX one_current_dossier ON whence.dossiers (org_id, kind, subject_id, flow, lane) WHERE is_current;
CREATE INDEX dossiers_of_subject ON whence.dossiers (org_id, kind, subject_id, created_at DESC);
SELECT whence.protect('whence.dossiers');

CREATE TABLE whence.claims (
    org_id     uuid NOT NULL,
    id         uuid NOT NULL,
    dossier_id uuid NOT NULL,
    path       text NOT NULL,
    statement  text NOT NULL,
    value      jsonb NOT NULL,
    confidence double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    method     text NOT NULL,
    verdict    text NOT NULL CHECK (verdict IN ('supported', 'unsupported')),
    note       text,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, dossier_id, path),
    FOREIGN KEY (org_id, dossier_id) REFERENCES whence.dossiers ON DELETE CASCADE
);
SELECT whence.protect('whence.claims', 'SELECT, INSERT, DELETE');

CREATE TABLE whence.claim_evidence (
    org_id      uuid NOT NULL,
    claim_id    uuid NOT NULL,
    evidence_id uuid NOT NULL,
    ordinal     int NOT NULL,
    quote       text,
    starts_at   int,
    ends_at     int,
    PRIMARY KEY (org_id, claim_id, ordinal),
    FOREIGN KEY (org_id, claim_id) REFERENCES whence.claims ON DELETE CASCADE,
    FOREIGN KEY (org_id, evidence_id) REFERENCES whence.evidence
);
SELECT whence.protect('whence.claim_evidence', 'SELECT, INSERT, DELETE');

-- call logs and audit ---------------------------------------------------------------------------

CREATE TABLE whence.model_calls (
    org_id         uuid NOT NULL,
    id             uuid NOT NULL,
    run_id         uuid,
    node           text,
    skill          text NOT NULL,
    model          text,
    prompt_version text,
    outcome        text NOT NULL CHECK (outcome IN ('ok', 'repaired', 'fallback', 'error')),
    reason         text,
    detail         text,
    calls          int NOT NULL DEFAULT 0,
    is_exact       boolean NOT NULL DEFAULT true,
    tokens_in      int NOT NULL DEFAULT 0,
    tokens_out     int NOT NULL DEFAULT 0,
    usd            double precision,
    latency_ms     double precision NOT NULL,
    at             timestamptz NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX model_calls_of_run ON whence.model_calls (org_id, run_id);
SELECT whence.protect('whence.model_calls', 'SELECT, INSERT');

CREATE TABLE whence.tool_calls (
    org_id     uuid NOT NULL,
    id         uuid NOT NULL,
    run_id     uuid,
    user_id    uuid NOT NULL,
    caller     text NOT NULL,
    tool       text NOT NULL,
    scope      text NOT NULL,
    arguments  jsonb NOT NULL,
    outcome    text NOT NULL CHECK (outcome IN ('ok', 'refused', 'error')),
    error      text,
    latency_ms double precision NOT NULL,
    at         timestamptz NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX tool_calls_of_run ON whence.tool_calls (org_id, run_id);
SELECT whence.protect('whence.tool_calls', 'SELECT, INSERT');

CREATE TABLE whence.audit_log (
    org_id     uuid NOT NULL,
    id         uuid NOT NULL,
    user_id    uuid NOT NULL,
    action     text NOT NULL,
    kind       text NOT NULL,
    subject_id uuid,
    detail     jsonb NOT NULL,
    at         timestamptz NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX audit_of_subject ON whence.audit_log (org_id, kind, subject_id, at DESC);
SELECT whence.protect('whence.audit_log', 'SELECT, INSERT');

GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA whence TO whence_app;
