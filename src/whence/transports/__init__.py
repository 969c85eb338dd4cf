"""Network transports: decode, call, encode; they contain no logic."""
