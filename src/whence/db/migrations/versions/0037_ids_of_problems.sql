-- The import's id of the row, where it was read.  Rows of records that did not change are dropped when
-- the file is read, so the line alone no longer leads to the record.
ALTER TABLE whence.import_problems ADD COLUMN external_id text;
