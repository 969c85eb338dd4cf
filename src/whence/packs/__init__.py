"""Domains, one folder each.  The core never imports them by name: `main.py` discovers them."""
