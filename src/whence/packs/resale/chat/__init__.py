"""Talk about an item: what can be asked, what can be changed, and which tools may be used."""
