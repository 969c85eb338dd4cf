"""Score whether a listing is the same product as an item, with a reason."""
