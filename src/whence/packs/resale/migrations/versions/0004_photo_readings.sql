-- What was read on a photograph, by the digest of its content and the version of the reader; kept with
-- the item that it was read for, so that it is erased with it.
CREATE TABLE resale.photo_readings (
    org_id  uuid NOT NULL DEFAULT whence.current_org(),
    item_id uuid NOT NULL,
    digest  text NOT NULL,
    reader  text NOT NULL,
    reading jsonb NOT NULL,
    read_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, item_id, digest, reader),
    FOREIGN KEY (org_id, item_id) REFERENCES resale.items ON DELETE CASCADE
);
CREATE INDEX photo_readings_by_content ON resale.photo_readings (org_id, digest, reader);
SELECT whence.protect('resale.photo_readings');
