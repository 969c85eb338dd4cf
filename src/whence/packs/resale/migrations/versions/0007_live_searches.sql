-- How often conversations asked live sources, by day (UTC).
CREATE TABLE resale.live_searches (
    org_id   uuid NOT NULL DEFAULT whence.current_org(),
    day      date NOT NULL,
    searches int  NOT NULL,
    PRIMARY KEY (org_id, day)
);
SELECT whence.protect('resale.live_searches');
