"""Changes that wait for a person, what carries them, and what became of them."""
