-- Parts of a dossier that are saved by themselves, each with versions and claims of its own.

CREATE TABLE whence.sections (
    org_id     uuid NOT NULL,
    id         uuid NOT NULL,
    run_id     uuid NOT NULL,
    kind       text NOT NULL,
    subject_id uuid NOT NULL,
    flow       text NOT NULL,
    lane       text NOT NULL,
    name       text NOT NULL,
    version    int NOT NULL CHECK (version > 0),
    is_current boolean NOT NULL,
    title      text NOT NULL,
    summary    text NOT NULL,
    body       jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    -- A node that runs again saves the same version again.
    UNIQUE (org_id, run_id, name),
    UNIQUE (org_id, kind, subject_id, flow, lane, name, version),
    FOREIGN KEY (org_id, run_id) REFERENCES whence.runs
);
CREATE UNIQUE INDEX one_current_section ON whence.sections (org_id, kind, subject_id, flow, lane, name)
    WHERE is_current;
SELECT whence.protect('whence.sections');

ALTER TABLE whence.claims
    ALTER COLUMN dossier_id DROP NOT NULL,
    ADD COLUMN section_id uuid,
    ADD CONSTRAINT claims_in_one_place CHECK (dossier_id IS NULL OR section_id IS NULL),
    ADD UNIQUE (org_id, section_id, path),
    ADD FOREIGN KEY (org_id, section_id) REFERENCES whence.sections ON DELETE CASCADE;
