"""`whence pack check`: does a pack keep the contract between packs and the engine?"""
