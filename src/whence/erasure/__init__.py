"""A record or a person, erased for good: every row, value and file."""
