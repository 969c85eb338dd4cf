"""Text search for everything that can grow: one inverted index, kept by its writers."""
