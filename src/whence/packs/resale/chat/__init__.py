"""Chats about an item: topics, fields to change, and tools."""
