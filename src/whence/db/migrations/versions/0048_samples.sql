-- Which imports brought a pack's samples, and which imports wrote a record.

ALTER TABLE whence.imports ADD COLUMN is_sample boolean NOT NULL DEFAULT false;
CREATE INDEX import_rows_of_record ON whence.import_rows (org_id, record_id)
    WHERE record_id IS NOT NULL;
