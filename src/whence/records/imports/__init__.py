"""Imports: files into records, batch by batch, with a stored report."""
