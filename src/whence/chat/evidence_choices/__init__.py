"""Evidence that a person includes or excludes, with what the research would then conclude."""
