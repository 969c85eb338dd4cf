"""Text search for everything that can grow: an inverted index of words, kept by its writers."""
