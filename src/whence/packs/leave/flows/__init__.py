"""Research of a leave request."""
