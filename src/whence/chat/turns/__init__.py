"""One message to its answer: the flow, its nodes, and the process that runs it."""
