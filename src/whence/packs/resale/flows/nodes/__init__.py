"""The nodes of `flows.research`, one file each, in execution order."""
