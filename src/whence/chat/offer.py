"""What a pack says about talking about its records; everything else about chat is the engine's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from whence.chat.record_view import RecordView


@dataclass(frozen=True)
class ByClaim:
    """Carried by the claim at this path of the current dossier, and by the claim's evidence."""

    path: str


@dataclass(frozen=True)
class ByEvidence:
    """Carried by a piece of evidence of the current dossier's run."""

    evidence_id: UUID


@dataclass(frozen=True)
class ByRecord:
    """Carried by a field of the record, which somebody entered."""

    field: str


@dataclass(frozen=True)
class ByRule:
    """Carried by a rule of the pack, such as a section of a statute."""

    title: str
    text: str
    url: str | None = None


@dataclass(frozen=True)
class ByRun:
    """Carried by a run of the record; None is the run of the current dossier, and its body."""

    run_id: UUID | None = None


@dataclass(frozen=True)
class ByPage:
    """Carried by an entry of the page on which it is asked."""

    entry: str


Citation = ByClaim | ByEvidence | ByRecord | ByRule | ByRun | ByPage


@dataclass(frozen=True)
class Statement:
    """One sentence of an answer made by rules, and what carries it.

    Without a carrier it must state no fact: an offer, a question, or that something is not known.
    """

    text: str
    by: tuple[Citation, ...] = ()


@dataclass(frozen=True)
class Topic:
    """Something that people ask about, answered from the dossier without a model.

    `words` are regular expressions (case-insensitive) that ask for it; the topic with most matches
    answers, the first of equals.  `answer` gets the question as it was written.
    """

    name: str
    title: str
    """What it can answer, for the list of what may be asked: `price and its range`."""
    words: tuple[str, ...]
    answer: Callable[[RecordView, str], Sequence[Statement]]
    example: str
    """A question as a person would ask it."""


@dataclass(frozen=True)
class Editable:
    """A field that can be changed from chat, the words people use for it, and how to read a value.

    `read` takes the words after `to` and the look, as the message has changed it so far, and gives
    the value as the record's JSON has it, or raises Invalid in words for the person; by default the
    record's own field type reads it.
    """

    field: str
    words: tuple[str, ...]
    read: Callable[[str, RecordView], Any] | None = None


@dataclass(frozen=True)
class Chat:
    """Talk about one kind of subject.  `prompt` is the system prompt's Markdown file."""

    kind: str
    prompt: Path
    topics: Sequence[Topic]
    editable: Sequence[Editable] = ()
    stale_after: timedelta = timedelta(days=30)
    """Research that is older is announced as such, with an offer to refresh it."""
    tools: Sequence[str] = ()
    """Names of the pack's tools that a conversation about such a record may use."""
    wizards: Sequence[str] = ()
    """Ids of the wizards that may be started in such a conversation."""
