"""How an answer is put together from its topics, and held to its sources."""

from whence.chat.citing.composing import compose, topic_of, topics_of
from whence.chat.citing.grounding import Grounded, Grounding, Reference
from whence.chat.citing.sources import Mark, Source, SourceBook

__all__ = [
    "Grounded",
    "Grounding",
    "Mark",
    "Reference",
    "Source",
    "SourceBook",
    "compose",
    "topic_of",
    "topics_of",
]
