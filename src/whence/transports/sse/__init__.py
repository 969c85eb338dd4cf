"""Server-sent events: a run's event log as a stream."""
