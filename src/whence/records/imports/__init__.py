"""Imports: files into records, batch by batch, with a report that is kept."""
