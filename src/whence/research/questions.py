"""Questions of a run to a person; the run waits without a worker until one is answered."""

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
"""Most characters of a text answer, about a page; longer texts belong in the record."""

Answer = str | int | float | None
"""A person's answer; None for "I don't know"."""


class Question(Wire):
    """A question to a person; `key` identifies it within the run.

    If it is not `required`, null is a valid answer and means "I don't know".
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
            raise ValueError("a choice needs choices, and other kinds have none")
        return self


class PersonAsked(Exception):
    """Ends an attempt whose run waits for a person. Not a WhenceError, so that no node handles it
    as a failure.
    """

    def __init__(self, question: Question) -> None:
        super().__init__(question.key)
        self.question = question


def accepted(question: Question, value: object) -> Answer:
    """The answer in its stored form; raises Invalid, which says what the question accepts."""
    match question.kind, value:
        case _, None if not question.required:
            return None
        case _, None:
            problem = "the run needs an answer to this question to continue"
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


def fits(question: Question, value: object) -> bool:
    """Whether an earlier answer is still valid for this question."""
    try:
        accepted(question, value)
    except Invalid:
        return False
    return True


def answered(
    answers: Mapping[str, Any], question: Question, answer: Answer, by: UUID, at: datetime
) -> dict[str, Any]:
    """A run's answers with this one added: its value, person and time under the question's key."""
    stored = {"answer": answer, "by": str(by), "at": at.isoformat()}
    return {**answers, question.key: stored}


def shown(question: Question) -> dict[str, Any]:
    """The question as it is stored and sent."""
    return storable(question.model_dump(mode="json", by_alias=True))
