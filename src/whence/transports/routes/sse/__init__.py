"""Server-sent events: event logs as streams."""
