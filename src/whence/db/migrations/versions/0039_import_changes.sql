-- What an import changed: the new values beside the previous ones, and the version of what it added,
-- by which an undo recognises what was changed since.
ALTER TABLE whence.imports ADD COLUMN clear_empty boolean NOT NULL DEFAULT false;
ALTER TABLE whence.imports ADD COLUMN undone_at timestamptz;
ALTER TABLE whence.import_rows ADD COLUMN after jsonb;
ALTER TABLE whence.import_rows ADD COLUMN version int;
ALTER TABLE whence.import_rows ADD COLUMN undone jsonb;
