"""What the laws give on the facts of a request: plain code over the dated rule data in `rules/`."""
