"""The nodes of `flows.research`, one file each, in the order they run."""
