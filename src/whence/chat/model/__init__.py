"""What a model is sent for an answer, its tools, and what goes wrong with it."""
