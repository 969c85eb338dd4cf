-- A tool call of a run that changed something is known by a key and keeps its result: the same call
-- again (tried again, or of a node that runs again after a crash) finds it instead of changing twice.
ALTER TABLE whence.tool_calls ADD COLUMN call_key text, ADD COLUMN result jsonb;
CREATE UNIQUE INDEX tool_calls_by_key ON whence.tool_calls (org_id, run_id, call_key)
    WHERE call_key IS NOT NULL;
