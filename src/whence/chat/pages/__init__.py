"""Talking with a page that is open, rather than with one record."""
