"""What rules read for an answer: the record with its research, the page, and earlier messages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from whence.chat.model.context import texts_of
from whence.chat.record_view import RecordView
from whence.chat.transcript.contexts import PartRead
from whence.chat.transcript.tables import ChatMessage
from whence.chat.turns.turn import Turn
from whence.chat.turns.turn_subject import PageSubject

MOST_ENTRIES = 150
"""Entries of one part that are kept: about three times the evidence of a usual run."""


def read_by_rules(
    turn: Turn, view: RecordView | None, past: Sequence[ChatMessage]
) -> list[PartRead]:
    """The parts in the order of their weight; without a record or a page, only messages."""
    return [
        PartRead(title, entries[:MOST_ENTRIES], max(len(entries) - MOST_ENTRIES, 0))
        for title, entries in _parts(turn, view, past)
        if entries
    ]


def _parts(
    turn: Turn, view: RecordView | None, past: Sequence[ChatMessage]
) -> Iterator[tuple[str, list[str]]]:
    if turn.wizard_input is not None:
        yield "Input of the form", [json.dumps(turn.wizard_input, ensure_ascii=False, default=str)]
    if view is not None:
        yield from texts_of(view)
    if isinstance(turn.subject, PageSubject):
        page = [f"{entry.title}: {entry.text}" for entry in turn.subject.view.entries]
        yield f"The page {turn.subject.at.page.title}", page
    yield "Earlier messages", [f"{message.role}: {message.content}" for message in past]
