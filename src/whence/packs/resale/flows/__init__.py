"""Research flows of the resale pack."""
