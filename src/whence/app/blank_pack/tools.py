"""A tool that flows, conversations and the API share."""

from __future__ import annotations

from whence.sdk.access import Scope
from whence.sdk.tools import ToolContext, tool
from whence.sdk.values import Wire


class Text(Wire):
    """The text to count."""

    text: str


class Words(Wire):
    """How many words the text has."""

    words: int


@tool(Scope.READ)
async def count_blank_pack_words(arguments: Text, context: ToolContext) -> Words:
    """Count the words of a text."""
    return Words(words=len(arguments.text.split()))
