"""leave.questions: what questions of employees and HR lead to by rules, end to end.

A line of a file has the question, the leave that it is `about`, and patterns of the `provisions` of
which the answer has to cite one; none where the rules do not cover it, so that it is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from fnmatch import fnmatch
from pathlib import Path

from pydantic import Field, ValidationError

from whence.packs.leave import kind
from whence.packs.leave.chat.carrying import request_in, rule_of
from whence.packs.leave.chat.offer import CHAT
from whence.packs.leave.eligibility.editions import book_for
from whence.packs.leave.records import Reason, Relation
from whence.sdk.chat import Intent, RecordView
from whence.sdk.errors import Invalid
from whence.sdk.requests import understand
from whence.sdk.testing import answer_by_rules
from whence.sdk.values import Wire

from .requests import view

SETS = {
    "first": "questions_first.jsonl",
    "second": "questions_second.jsonl",
    "third": "questions_third.jsonl",
}
"""Files by the name of their set; the third was kept aside until the classifier was done."""
MOST_CITED = 8
"""Rules in an answer; one that cites more says nothing in particular."""
AGENCIES = "agencies"
ABOUT: Mapping[str, Mapping[str, object]] = {
    "own_health": {},
    "pregnancy": {
        "reason": Reason.PREGNANCY_DISABILITY,
        "medical_need": True,
        "child_arrives_on": date(2027, 4, 10),
    },
    "bonding": {"reason": Reason.BONDING_BIRTH, "child_arrives_on": date(2027, 2, 20)},
    "exigency": {
        "reason": Reason.MILITARY_EXIGENCY,
        "relation": Relation.SPOUSE,
        "active_duty": True,
    },
}


class Question(Wire):
    """A question and what its answer has to cite."""

    text: str
    about: str
    provisions: list[str] = Field(default_factory=list)


@dataclass(frozen=True)
class QuestionsReport:
    """Counts of questions, and every miss in words."""

    n: int
    answerable: int
    answered: int
    """Answered from the right provision, of those that the rules cover."""
    refused: int
    """Refused, of those that the rules do not cover."""
    taken_for_other: int
    """Questions that were taken for a change or for a request for research."""
    uncited: int
    """Sentences that state a fact and cite nothing."""
    misses: Sequence[str]

    @property
    def right(self) -> int:
        """Questions that were answered or refused as they should be."""
        return self.answered + self.refused

    def figures(self) -> dict[str, float | int | str]:
        """Flat figures: the shares, and each miss."""
        rows: dict[str, float | int | str] = {
            "right": self.right / self.n,
            "answered": self.answered / self.answerable,
            "refused": self.refused / (self.n - self.answerable),
            "taken for a change or research": self.taken_for_other,
            "uncited": self.uncited,
            "n": self.n,
        }
        return rows | {f"miss {at}": miss for at, miss in enumerate(self.misses, 1)}


def questions(data: Path) -> Mapping[str, QuestionsReport]:
    """Ask the questions of each set; raises Invalid where a file is missing or malformed."""
    return {name: _report(list(read_questions(data / file))) for name, file in SETS.items()}


def read_questions(path: Path) -> Iterator[Question]:
    """The questions of a file; raises Invalid, which names a malformed line."""
    if not path.is_file():
        raise Invalid(f"There is no file '{path}'.")
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            question = Question.model_validate(json.loads(line))
        except (ValueError, ValidationError) as error:
            raise Invalid(f"{path}, line {number}: not a text with provisions") from error
        if question.about not in ABOUT:
            raise Invalid(f"{path}, line {number}: `about` is none of {', '.join(ABOUT)}")
        yield question


def _report(rows: Sequence[Question]) -> QuestionsReport:
    answered = refused = taken_for_other = uncited = 0
    misses: list[str] = []
    for row in rows:
        request_view = _view_about(row.about)
        intent = understand(row.text, CHAT, request_view).intent
        cited: Sequence[str] = ()
        if intent is Intent.QUESTION:
            cited, without_source = _cited(row.text, request_view)
            uncited += without_source
        taken_for_other += intent in {Intent.ACTION, Intent.RESEARCH}
        if not row.provisions and not cited and intent in {Intent.QUESTION, Intent.UNKNOWN}:
            refused += 1
        elif row.provisions and _is_right(row.provisions, cited):
            answered += 1
        else:
            wanted = ", ".join(row.provisions) or "a refusal"
            misses.append(f"{row.text!r}: {wanted}; {intent} cites {', '.join(cited) or 'nothing'}")
    answerable = sum(bool(row.provisions) for row in rows)
    return QuestionsReport(
        len(rows), answerable, answered, refused, taken_for_other, uncited, misses
    )


def _is_right(wanted: Sequence[str], cited: Sequence[str]) -> bool:
    fits = any(fnmatch(one, each) for one in cited for each in wanted)
    return fits and len(cited) <= MOST_CITED


def _view_about(about: str) -> RecordView:
    plain = view()
    request = request_in(plain).model_copy(update=dict(ABOUT[about]))
    shown = request.model_dump(mode="json", by_alias=True)
    return replace(plain, kind=kind.REQUESTS, record=request, shown=shown, at=_AT)


_AT = datetime(2027, 2, 10, tzinfo=UTC)


def _cited(question: str, request_view: RecordView) -> tuple[list[str], int]:
    """The ids of the rules that an answer cites, and how many of its sentences lack a source."""
    book = book_for(request_in(request_view))
    rules = [rule for law in book.statutes for rule in book.rules(law)]
    names = {rule_of(one).title: one.id for one in [*book.provisions.values(), *rules]}
    answer = answer_by_rules(CHAT, request_view, question)
    titles = [each.source.title for each in answer.references]
    ids = [AGENCIES if each == "Whom to ask" else names.get(each, each) for each in titles]
    return list(dict.fromkeys(ids)), len(answer.uncited)
