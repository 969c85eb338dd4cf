"""Conversations about a record: topics, what each sentence cites, and what can be changed."""

from whence.chat.citing.researched import earlier_research, latest_research, one_sentence
from whence.chat.evidence_choices.offer import EvidenceChoices, Recomputed, RecomputedFigure
from whence.chat.language.fields import Change, changes_in
from whence.chat.language.intents import Intent, intent_of
from whence.chat.language.reading import DOLLARS
from whence.chat.offer import (
    AskedRunType,
    ByClaim,
    ByEvidence,
    ByPage,
    ByRecord,
    ByRule,
    ByRun,
    Chat,
    Citation,
    Editable,
    Statement,
    Suggested,
    Topic,
)
from whence.chat.record_view import PastRun, RecordView
from whence.kernel.dates import read_day

__all__ = [
    "DOLLARS",
    "AskedRunType",
    "ByClaim",
    "ByEvidence",
    "ByPage",
    "ByRecord",
    "ByRule",
    "ByRun",
    "Change",
    "Chat",
    "Citation",
    "Editable",
    "EvidenceChoices",
    "Intent",
    "PastRun",
    "Recomputed",
    "RecomputedFigure",
    "RecordView",
    "Statement",
    "Suggested",
    "Topic",
    "changes_in",
    "earlier_research",
    "intent_of",
    "latest_research",
    "one_sentence",
    "read_day",
]
