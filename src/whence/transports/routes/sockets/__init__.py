"""Socket.IO: a run's event log, pushed."""
