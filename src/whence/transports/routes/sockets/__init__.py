"""Socket.IO: event logs of runs and conversations, pushed to clients."""
