"""Erases a record or a person for good: every row, value and file."""
