-- What an organization says of itself, for whoever answers in its name.

CREATE TABLE whence.organization_profiles (
    org_id       uuid PRIMARY KEY REFERENCES whence.organizations ON DELETE CASCADE,
    sectors      text[] NOT NULL DEFAULT '{}',
    capabilities text[] NOT NULL DEFAULT '{}',
    regions      text[] NOT NULL DEFAULT '{}',
    ideal_work   text NOT NULL DEFAULT '',
    guidelines   text NOT NULL DEFAULT '',
    version      int NOT NULL DEFAULT 1,
    updated_by   uuid NOT NULL,
    updated_at   timestamptz NOT NULL
);
SELECT whence.protect('whence.organization_profiles');
