"""`whence pack check`: checks the contract between a pack and the engine."""
