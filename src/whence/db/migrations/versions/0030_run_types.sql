-- The type of a run, as its flow declares it, and what it was asked for with.  Runs from before have
-- the default type.
ALTER TABLE whence.runs
    ADD COLUMN run_type text NOT NULL DEFAULT 'default',
    ADD COLUMN parameters jsonb NOT NULL DEFAULT '{}';

-- A dossier that tells a part does not take the place of a whole one.
ALTER TABLE whence.dossiers ADD COLUMN is_whole boolean NOT NULL DEFAULT true;
