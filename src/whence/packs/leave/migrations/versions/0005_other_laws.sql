ALTER TABLE leave.requests
    ADD COLUMN designated_person_limited boolean,
    ADD COLUMN other_reason              text,
    ADD COLUMN closed_from               text,
    ADD COLUMN closed_until              text,
    ADD COLUMN job_ends_on               text;
