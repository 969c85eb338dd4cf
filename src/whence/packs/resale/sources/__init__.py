"""Adapters to outside marketplaces and catalogues: one a file, each saying what it offers."""
