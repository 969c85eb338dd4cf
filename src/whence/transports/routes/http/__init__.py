"""The HTTP API: routes made from what the packs declare; decode, call, encode."""
