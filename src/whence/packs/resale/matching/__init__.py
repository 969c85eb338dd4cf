"""Is this listing the same product as that item?  Text in, a score with its reason out."""
