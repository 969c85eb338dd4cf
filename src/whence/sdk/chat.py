"""Conversations about a record: topics, what each sentence cites, and what can be changed."""

from whence.chat.citing.researched import earlier_research, latest_research, one_sentence
from whence.chat.language.fields import Change, changes_in
from whence.chat.language.intents import Intent, intent_of
from whence.chat.language.reading import DOLLARS
from whence.chat.look import Look, PastRun
from whence.chat.offer import (
    ByClaim,
    ByEvidence,
    ByPage,
    ByRecord,
    ByRule,
    ByRun,
    Carrier,
    Chat,
    Editable,
    Said,
    Topic,
)

__all__ = [
    "DOLLARS",
    "ByClaim",
    "ByEvidence",
    "ByPage",
    "ByRecord",
    "ByRule",
    "ByRun",
    "Carrier",
    "Change",
    "Chat",
    "Editable",
    "Intent",
    "Look",
    "PastRun",
    "Said",
    "Topic",
    "changes_in",
    "earlier_research",
    "intent_of",
    "latest_research",
    "one_sentence",
]
