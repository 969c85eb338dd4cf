-- Imports: how far each is, its report, its refused rows, and the records that it touched.

CREATE TABLE whence.imports (
    org_id       uuid NOT NULL,
    id           uuid NOT NULL,
    name         text NOT NULL,
    filename     text NOT NULL,
    digest       text NOT NULL,
    size         bigint NOT NULL,
    status       text NOT NULL DEFAULT 'waiting'
                 CHECK (status IN ('waiting', 'running', 'done', 'failed', 'cancelled')),
    attempt      int NOT NULL DEFAULT 0,
    position     bigint NOT NULL DEFAULT 0,
    bytes_done   bigint NOT NULL DEFAULT 0,
    added        bigint NOT NULL DEFAULT 0,
    updated      bigint NOT NULL DEFAULT 0,
    unchanged    bigint NOT NULL DEFAULT 0,
    repeated     bigint NOT NULL DEFAULT 0,
    refused      bigint NOT NULL DEFAULT 0,
    warnings     bigint NOT NULL DEFAULT 0,
    report       jsonb NOT NULL DEFAULT '{}',
    error        text,
    requested_by uuid NOT NULL,
    scopes       text[] NOT NULL DEFAULT '{}',
    tries        int NOT NULL DEFAULT 0,
    file         text,
    created_at   timestamptz NOT NULL DEFAULT now(),
    started_at   timestamptz,
    ended_at     timestamptz,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, file) REFERENCES whence.files (org_id, digest)
);
-- `file` is what a worker reads, let go of once the import is over; `tries` are those since the
-- last batch; `scopes` are for whom the import acts.
CREATE INDEX imports_by_content ON whence.imports (org_id, name, digest);
SELECT whence.protect('whence.imports');

CREATE TABLE whence.import_problems (
    org_id    uuid NOT NULL,
    import_id uuid NOT NULL,
    ordinal   bigint NOT NULL,
    line      bigint NOT NULL,
    refused   boolean NOT NULL,
    field     text,
    value     text NOT NULL,
    reason    text NOT NULL,
    PRIMARY KEY (org_id, import_id, ordinal),
    FOREIGN KEY (org_id, import_id) REFERENCES whence.imports ON DELETE CASCADE
);
SELECT whence.protect('whence.import_problems');

-- Every row of a file that was kept, once: two rows with one id are told apart by the fingerprint,
-- also after a restart; `before` is what an undo would write back.
CREATE TABLE whence.import_rows (
    org_id      uuid NOT NULL,
    import_id   uuid NOT NULL,
    external_id text NOT NULL,
    line        bigint NOT NULL,
    fingerprint bigint NOT NULL,
    outcome     text NOT NULL,
    record_id   uuid,
    before      jsonb,
    PRIMARY KEY (org_id, import_id, external_id),
    FOREIGN KEY (org_id, import_id) REFERENCES whence.imports ON DELETE CASCADE
);
SELECT whence.protect('whence.import_rows');
