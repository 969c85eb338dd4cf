-- The content of files in pieces of 1 MiB: a file of any size is written, read and searched through
-- without ever being one value, neither in the database nor in a process.

CREATE TABLE whence.file_chunks (
    org_id  uuid NOT NULL,
    digest  text NOT NULL,
    ordinal int NOT NULL CHECK (ordinal >= 0),
    content bytea NOT NULL,
    PRIMARY KEY (org_id, digest, ordinal),
    FOREIGN KEY (org_id, digest) REFERENCES whence.files ON DELETE CASCADE
);
-- Uncompressed, so that a part of a piece is read without the rest of it.
ALTER TABLE whence.file_chunks ALTER COLUMN content SET STORAGE EXTERNAL;

-- Files that are there already.  Forced row-level security would hide them from an owner that is no
-- superuser; it is forced again in the same transaction.
ALTER TABLE whence.files NO FORCE ROW LEVEL SECURITY;
ALTER TABLE whence.files ADD COLUMN size bigint;
UPDATE whence.files SET size = octet_length(content);
INSERT INTO whence.file_chunks (org_id, digest, ordinal, content)
    SELECT f.org_id, f.digest, n, substring(f.content FROM n * 1048576 + 1 FOR 1048576)
    FROM whence.files f, generate_series(0, ((f.size - 1) / 1048576)::int) AS n WHERE f.size > 0;
ALTER TABLE whence.files DROP COLUMN content;
ALTER TABLE whence.files ALTER COLUMN size SET NOT NULL;
ALTER TABLE whence.files FORCE ROW LEVEL SECURITY;
SELECT whence.protect('whence.file_chunks', 'SELECT, INSERT');

-- Files that nobody names ----------------------------------------------------------------------
--
-- Whatever names a file does so by a foreign key to whence.files, so the catalogue knows all of it.

-- A condition on `f`, a row of whence.files: no row of any table names it.
CREATE FUNCTION whence.file_is_unnamed() RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce(string_agg(format(
        'NOT EXISTS (SELECT FROM %s h WHERE h.%I = f.org_id AND h.%I = f.digest)',
        c.conrelid::regclass, org.attname, named.attname), ' AND '), 'true')
    FROM pg_constraint c
    JOIN pg_attribute of_org ON of_org.attrelid = c.confrelid AND of_org.attname = 'org_id'
    JOIN pg_attribute of_digest ON of_digest.attrelid = c.confrelid AND of_digest.attname = 'digest'
    JOIN pg_attribute org ON org.attrelid = c.conrelid
        AND org.attnum = c.conkey[array_position(c.confkey, of_org.attnum)]
    JOIN pg_attribute named ON named.attrelid = c.conrelid
        AND named.attnum = c.conkey[array_position(c.confkey, of_digest.attnum)]
    WHERE c.contype = 'f' AND c.confrelid = 'whence.files'::regclass
        AND c.conrelid <> 'whence.file_chunks'::regclass
$$;

CREATE POLICY retention ON whence.files FOR DELETE TO CURRENT_USER USING (true);

-- Remove at most `most` files that were kept before `kept_before` and that no row names: uploads
-- whose record was never written, and files of records that are gone.
CREATE FUNCTION whence.prune_files(kept_before timestamptz, most int)
RETURNS TABLE (org_id uuid, digest text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN QUERY EXECUTE format($sql$
        WITH due AS (
            SELECT f.org_id, f.digest FROM whence.files f WHERE f.created_at < $1 AND %s
            ORDER BY f.created_at LIMIT $2 FOR UPDATE SKIP LOCKED
        )
        DELETE FROM whence.files f USING due
            WHERE f.org_id = due.org_id AND f.digest = due.digest RETURNING f.org_id, f.digest
    $sql$, whence.file_is_unnamed()) USING kept_before, most;
END $$;
CREATE INDEX files_by_age ON whence.files (created_at);

REVOKE EXECUTE ON FUNCTION whence.prune_files(timestamptz, int), whence.file_is_unnamed() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.prune_files(timestamptz, int) TO whence_app;
