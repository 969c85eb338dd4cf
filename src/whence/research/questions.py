"""Questions that a run asks a person: the run waits without a worker until somebody answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import Field, model_validator

from whence.db.statements import storable
from whence.kernel.errors import Invalid
from whence.kernel.wire import Wire

MAX_ANSWER = 4_000
"""Characters of an answer in words: a page; more belongs into the record."""

Answer = str | int | float | None
"""What a person said; None: does not know."""


class Question(Wire):
    """One thing that a run must know from a person; `key` names it within the run.

    A question that is not `required` may be answered with null, which says "I don't know".
    """

    key: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_.]*$", max_length=100)]
    text: Annotated[str, Field(min_length=1, max_length=1_000)]
    why: Annotated[str, Field(max_length=2_000)] = ""
    kind: Literal["text", "choice", "number"] = "text"
    choices: Annotated[tuple[str, ...], Field(max_length=100)] = ()
    required: bool = True

    @model_validator(mode="after")
    def _choices_fit_the_kind(self) -> Self:
        if bool(self.choices) != (self.kind == "choice"):
            raise ValueError("a choice needs choices, and nothing else has any")
        return self


class PersonAsked(Exception):
    """Ends an attempt whose run waits for a person; no WhenceError, so that no node takes it for
    a failure that it may continue after.
    """

    def __init__(self, question: Question) -> None:
        super().__init__(question.key)
        self.question = question


def accepted(question: Question, given: object) -> Answer:
    """The answer as it is kept; raises Invalid saying what the question takes."""
    match question.kind, given:
        case _, None if not question.required:
            return None
        case _, None:
            problem = "the run cannot continue without an answer to this"
        case "text", str(words) if words.strip() and len(words) <= MAX_ANSWER:
            return words.strip()
        case "text", _:
            problem = f"write 1 to {MAX_ANSWER} characters of text"
        case "choice", str(chosen) if chosen in question.choices:
            return chosen
        case "choice", _:
            problem = f"choose one of {', '.join(question.choices)}"
        case "number", bool():
            problem = "give a number"
        case "number", int(number) | float(number) if math.isfinite(number):
            return number
        case "number", _:
            problem = "give a number"
    message = f"'{question.text}': {problem}."
    raise Invalid(message, errors=[{"field": "answer", "message": problem}])


def fits(question: Question, given: object) -> bool:
    """Whether an answer of before still answers this question."""
    try:
        accepted(question, given)
    except Invalid:
        return False
    return True


def answered(
    answers: Mapping[str, Any], question: Question, answer: Answer, by: UUID, at: datetime
) -> dict[str, Any]:
    """A run's answers with this one: what was said, by whom and when, by the question's key."""
    stored = {"answer": answer, "by": str(by), "at": at.isoformat()}
    return {**answers, question.key: stored}


def shown(question: Question) -> dict[str, Any]:
    """The question as it is stored and sent."""
    return storable(question.model_dump(mode="json", by_alias=True))
