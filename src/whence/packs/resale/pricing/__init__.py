"""What a thing sells for, how well, and what is left: pure functions over comps."""
