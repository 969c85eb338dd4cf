-- Files that records carry, in a table of their own: a record with many files is read, changed and
-- audited file by file.

CREATE TABLE whence.attachments (
    org_id     uuid NOT NULL,
    id         uuid NOT NULL,
    kind       text NOT NULL,
    subject_id uuid NOT NULL,
    digest     text NOT NULL,
    name       text NOT NULL,
    -- What the record's kind found the content to be; whence.files has what was found first.
    media_type text NOT NULL,
    size       bigint NOT NULL,
    position   int NOT NULL,
    caption    text NOT NULL DEFAULT '',
    added_by   uuid NOT NULL,
    added_at   timestamptz NOT NULL DEFAULT now(),
    -- Taken off the record; evidence may still name its content.
    removed_at timestamptz,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, digest) REFERENCES whence.files
);
CREATE UNIQUE INDEX one_attachment_of_a_file ON whence.attachments (org_id, subject_id, digest)
    WHERE removed_at IS NULL;
CREATE INDEX attachments_of_record ON whence.attachments (org_id, subject_id, position);
CREATE INDEX attachments_of_file ON whence.attachments (org_id, digest);
SELECT whence.protect('whence.attachments', 'SELECT, INSERT, UPDATE');

-- For a pack's migration: turn the lists of files in a column of its records into attachments.  Each
-- entry names its file by `stored`, the digest with an ending, and is called what its `url` says.
-- An entry without a file that is kept stays in the column.
CREATE FUNCTION whence.adopt_attachments(kind text, records regclass, field name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    -- Forced row-level security would hide the rows from an owner that is no superuser.
    EXECUTE format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', records);
    ALTER TABLE whence.attachments NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE whence.audit_log NO FORCE ROW LEVEL SECURITY;
    EXECUTE format($sql$
        INSERT INTO whence.attachments (org_id, id, kind, subject_id, digest, name, media_type, size,
            position, added_by, added_at)
        SELECT DISTINCT ON (r.org_id, r.id, f.digest)
            r.org_id, gen_random_uuid(), %1$L, r.id, f.digest, e.entry->>'url', f.media_type, f.size,
            e.place - 1,
            coalesce(made.user_id, '00000000-0000-0000-0000-000000000000'), r.updated_at
        FROM %2$s r
        CROSS JOIN LATERAL jsonb_array_elements(r.%3$I) WITH ORDINALITY AS e (entry, place)
        JOIN whence.files f ON f.org_id = r.org_id
            AND f.digest = split_part(e.entry->>'stored', '.', 1)
        LEFT JOIN LATERAL (SELECT a.user_id FROM whence.audit_log a WHERE a.org_id = r.org_id
            AND a.kind = %1$L AND a.subject_id = r.id ORDER BY a.at LIMIT 1) made ON true
        ORDER BY r.org_id, r.id, f.digest, e.place
    $sql$, kind, records, field);
    EXECUTE format($sql$
        UPDATE %1$s r SET %2$I = (
            SELECT coalesce(jsonb_agg(e.entry ORDER BY e.place), '[]')
            FROM jsonb_array_elements(r.%2$I) WITH ORDINALITY AS e (entry, place)
            WHERE NOT EXISTS (SELECT FROM whence.files f WHERE f.org_id = r.org_id
                AND f.digest = split_part(e.entry->>'stored', '.', 1)))
        WHERE EXISTS (SELECT FROM whence.attachments a
            WHERE a.org_id = r.org_id AND a.subject_id = r.id)
    $sql$, records, field);
    ALTER TABLE whence.audit_log FORCE ROW LEVEL SECURITY;
    ALTER TABLE whence.attachments FORCE ROW LEVEL SECURITY;
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', records);
END $$;
REVOKE EXECUTE ON FUNCTION whence.adopt_attachments(text, regclass, name) FROM PUBLIC;
