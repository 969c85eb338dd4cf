-- Empty: as each person's browser writes them.
ALTER TABLE whence.organization_profiles
    ADD COLUMN locale text NOT NULL DEFAULT '' CHECK (locale IN ('', 'en-GB', 'en-US'));

-- The settings page lists the log of all kinds together, newest first.
CREATE INDEX audit_of_organization ON whence.audit_log (org_id, at DESC, id DESC);
