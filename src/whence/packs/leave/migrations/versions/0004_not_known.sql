ALTER TABLE leave.requests ADD COLUMN not_known jsonb;
