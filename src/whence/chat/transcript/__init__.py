"""Conversations and their messages as they are kept, read and exported."""
