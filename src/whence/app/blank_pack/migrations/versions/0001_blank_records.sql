CREATE TABLE blank_pack.blank_records (
    org_id      uuid NOT NULL,
    id          uuid NOT NULL,
    external_id text,
    version     int NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    deleted_at  timestamptz,
    title       text NOT NULL,
    text        text NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX blank_records_external_id ON blank_pack.blank_records (org_id, external_id)
    WHERE deleted_at IS NULL;
SELECT whence.protect('blank_pack.blank_records');
