"""Scores what messages lead to, end to end: the proposal with its values, not just the label.

A line of a file has `text`, `outcome` and, for a change, `changes` as in the record's JSON; `after`
has the messages before it, whose questions back are remembered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field, ValidationError

from whence.chat.language.intents import Intent
from whence.chat.language.open_questions import OpenQuestion
from whence.chat.language.understanding import Understanding, understand
from whence.chat.offer import Chat
from whence.chat.record_view import RecordView
from whence.evidence.lanes import LaneName
from whence.evidence.wire import ClaimAnswer, DossierAnswer
from whence.kernel.errors import Invalid
from whence.kernel.wire import Wire
from whence.records.kind import SubjectKind

Outcome = Literal["change", "ask", "answer", "research", "nothing"]
_OF_INTENT: Mapping[Intent, Outcome] = {
    Intent.QUESTION: "answer",
    Intent.RESEARCH: "research",
    Intent.UNKNOWN: "nothing",
}


class Request(Wire):
    """A message and what it should lead to."""

    text: str
    outcome: Outcome
    """`ask`: a question back, or what is wrong with the change; `nothing`: nothing is started."""
    changes: dict[str, Any] = Field(default_factory=dict)
    after: list[str] = Field(default_factory=list)


@dataclass(frozen=True)
class RequestsReport:
    """Counts of messages, and every miss in words."""

    n: int
    right_label: int
    right: int
    """Right end to end: the outcome, and for a change every field and value."""
    misses: Sequence[str]

    def figures(self) -> dict[str, float | int | str]:
        """Flat figures: the shares, and each miss."""
        rows: dict[str, float | int | str] = {
            "end_to_end": self.right / self.n,
            "label": self.right_label / self.n,
            "n": self.n,
        }
        return rows | {f"miss {at}": miss for at, miss in enumerate(self.misses, 1)}


def requests_report(path: Path, chat: Chat, view: RecordView) -> RequestsReport:
    """Read every message of a file by rules, as a turn does, and compare what it leads to.

    Raises:
        Invalid: the file is missing or empty, or a line is malformed (names it).
    """
    rows = list(read_requests(path))
    if not rows:
        raise Invalid(f"{path}: no messages in it")
    right = right_label = 0
    misses: list[str] = []
    for row in rows:
        reading = understand(row.text, chat, view, _asked_before(row, chat, view))
        outcome, changes = outcome_of(reading)
        right_label += _label(outcome) == _label(row.outcome)
        if outcome == row.outcome and (outcome != "change" or changes == row.changes):
            right += 1
        else:
            why = f": {reading.refusal.message}" if reading.refusal else ""
            misses.append(
                f"{row.text!r}: {row.outcome} {row.changes} read as {outcome} {changes}{why}"
            )
    return RequestsReport(len(rows), right_label, right, misses)


def view_for(
    kind: SubjectKind, record: BaseModel, at: datetime, claims: Mapping[str, float] | None = None
) -> RecordView:
    """A record as a turn sees it, with a dossier of these claims where there are any."""
    ident = UUID(int=1)
    answers = [
        ClaimAnswer(
            path=path,
            statement=f"{path} is {value}.",
            value=value,
            confidence=0.8,
            method="rules:sample@1",
            verdict="supported",
            note=None,
            evidence=[],
        )
        for path, value in (claims or {}).items()
    ]
    dossier = DossierAnswer(
        id=ident,
        job_id=ident,
        type="research",
        flow_version="1",
        lane=LaneName.PRIMARY,
        fallback=None,
        schema_version=1,
        is_current=True,
        is_partial=False,
        not_done=[],
        notices=[],
        subject_version=1,
        record_changed=False,
        summary="",
        body={},
        claims=answers,
        created_at=at,
    )
    shown = record.model_dump(mode="json", by_alias=True)
    return RecordView(
        kind,
        ident,
        1,
        record,
        shown,
        dossier if answers else None,
        [],
        [],
        changed_since=False,
        at=at,
    )


def outcome_of(reading: Understanding) -> tuple[Outcome, dict[str, Any]]:
    """What a reading leads to."""
    if reading.intent is not Intent.ACTION:
        return _OF_INTENT[reading.intent], {}
    if not reading.changes:
        return "ask", {}
    return "change", {each.field: each.value for each in reading.changes}


def read_requests(path: Path) -> Iterator[Request]:
    """The messages of a file; raises Invalid, which names a malformed line."""
    if not path.is_file():
        raise Invalid(f"There is no file '{path}'.")
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            yield Request.model_validate(json.loads(line))
        except (ValueError, ValidationError) as error:
            raise Invalid(f"{path}, line {number}: not a text with an outcome") from error


def _asked_before(row: Request, chat: Chat, view: RecordView) -> OpenQuestion | None:
    question = None
    for text in row.after:
        question = understand(text, chat, view, question).question
    return question


def _label(outcome: Outcome) -> str:
    return "change" if outcome == "ask" else outcome
