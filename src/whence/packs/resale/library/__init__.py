"""What the user owns: items, and imported listings with their search index."""
