ALTER TABLE leave.requests
    ADD COLUMN spouse_same_employer boolean,
    ADD COLUMN spouse_eligible      boolean,
    ADD COLUMN weeks_of_both        double precision;
