"""What a model may judge or word in resale; each has rules that stand in for it."""
