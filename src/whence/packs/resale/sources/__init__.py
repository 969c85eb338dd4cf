"""Adapters to outside marketplaces and catalogues, one per file."""
