"""How answers are composed from topics and checked against their sources."""

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
