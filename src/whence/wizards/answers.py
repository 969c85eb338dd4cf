"""A person's typed answers so far, looked up by the model of their step."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TypeVar

from pydantic import BaseModel

from whence.kernel.errors import WhenceError

M = TypeVar("M", bound=BaseModel)


class NotAnswered(WhenceError):
    """A wizard used an answer that is not given yet; check with `in` or `get` first."""


class Answers:
    """The answers along the path, in order: `answers[Dates].start`, `Dates in answers`.

    `today` is the day the run began, so that a replay gives the same result.
    """

    def __init__(self, today: date, answers: Mapping[str, BaseModel]) -> None:
        self.today = today
        self.by_step = dict(answers)
        self._by_model = {type(answer): answer for answer in answers.values()}

    def __contains__(self, model: type[BaseModel]) -> bool:
        return model in self._by_model

    def __getitem__(self, model: type[M]) -> M:
        """The answer to the step that has this model; raises NotAnswered."""
        answer = self.get(model)
        if answer is None:
            raise NotAnswered(f"'{model.__name__}' is not answered yet.")
        return answer

    def get(self, model: type[M]) -> M | None:
        """The answer to the step with this model; None if it is not given."""
        answer = self._by_model.get(model)
        return answer if isinstance(answer, model) else None

    def with_answer(self, step_id: str, answer: BaseModel) -> Answers:
        """A copy with one more answer."""
        return Answers(self.today, {**self.by_step, step_id: answer})
