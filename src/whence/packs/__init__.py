"""Domains, one folder each.  The core never imports them by name: `app.build` discovers them."""
