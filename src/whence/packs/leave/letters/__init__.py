"""Drafts of the notices that an employer gives: filled from the outcome, with blanks."""
