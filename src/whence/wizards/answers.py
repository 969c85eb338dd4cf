"""What a person has answered so far, typed, looked up by a step's model."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TypeVar

from pydantic import BaseModel

from whence.kernel.errors import WhenceError

M = TypeVar("M", bound=BaseModel)


class NotAnswered(WhenceError):
    """A wizard looked at an answer that was not given yet; ask with `in` or `get` first."""


class Answers:
    """The answers on the path, in its order: `answers[Dates].start`, `Dates in answers`.

    `today` is the day on which the run began, so that a replay finds what was found before.
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
            raise NotAnswered(f"'{model.__name__}' was not answered yet.")
        return answer

    def get(self, model: type[M]) -> M | None:
        """The answer to the step that has this model, None where it was not given."""
        answer = self._by_model.get(model)
        return answer if isinstance(answer, model) else None

    def with_answer(self, step_id: str, answer: BaseModel) -> Answers:
        """These answers and one more."""
        return Answers(self.today, {**self.by_step, step_id: answer})
