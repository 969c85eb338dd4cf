-- Files that belong to an organization, kept in the database by their content.
--
-- In the database, so that every process on every machine reads them, and one backup holds them.

CREATE TABLE whence.files (
    org_id     uuid NOT NULL,
    digest     text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
    media_type text NOT NULL,
    content    bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, digest)
);
-- Photographs are compressed already.
ALTER TABLE whence.files ALTER COLUMN content SET STORAGE EXTERNAL;
-- Immutable: evidence names them by their digest.
SELECT whence.protect('whence.files', 'SELECT, INSERT');
