"""The path through a wizard, derived by replaying the answers; no position is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from pydantic import BaseModel

from whence.wizards.answers import Answers, NotAnswered
from whence.wizards.definition import KnownValue, Notice, Step, StepKind, Wizard, wire_name
from whence.wizards.reading import read

Values = Mapping[str, Any]
"""An answer as it is stored: JSON by the names that clients use."""


@dataclass(frozen=True)
class Entry:
    """One answer of the history."""

    step: str
    values: Values


@dataclass(frozen=True)
class Start:
    """The starting point of a replay: the definition, the first day, and what was known then."""

    wizard: Wizard
    today: date
    known: Sequence[KnownValue] = ()
    _read: dict[tuple[str, int | None], tuple[Values, BaseModel | None]] = field(
        default_factory=dict[tuple[str, int | None], tuple[Values, BaseModel | None]],
        compare=False,
        repr=False,
    )
    """A cache of parsed answers: a replay reads each answer once per later answer."""

    def answer_for(self, step: Step, answers: Mapping[str, Values]) -> BaseModel | None:
        """The step's answer, given or known; None if there is none that its model accepts."""
        values = answers.get(step.id)
        if values is None and (step.kind is not StepKind.QUESTION or step.always_ask):
            return None
        if values is None and self._has_open_wanted_fields(step):
            return None
        # Keyed by identity, which is safe because the cache keeps the values alive.
        key = (step.id, None if values is None else id(values))
        if key not in self._read:
            responses = self.known_values(step) if values is None else values
            result = read(step, responses) if values is not None or responses else None
            self._read[key] = (responses, result if isinstance(result, BaseModel) else None)
        return self._read[key][1]

    def prefilled(self, step: Step, answers: Mapping[str, Values]) -> dict[str, Any]:
        """The known values of a step of which only the other fields are asked.

        Empty if the whole step is shown: it was answered, is fully known, always asks, or its known
        values do not fit its model.
        """
        known = self.known_values(step)
        if (
            not known
            or step.id in answers
            or step.always_ask
            or self.answer_for(step, answers) is not None
        ):
            return {}
        result = read(step, known)
        refused_fields = (
            {error.field for error in result} if isinstance(result, list) else set[str | None]()
        )
        return {} if refused_fields & {None, *known} else known

    def with_prefilled(
        self, step: Step, answers: Mapping[str, Values], responses: Mapping[str, Any]
    ) -> dict[str, Any]:
        """A response with the known values added that were not asked; its own values win."""
        answered = {wire_name(step.model, name) for name in responses}
        prefilled = self.prefilled(step, answers).items()
        return {**{name: value for name, value in prefilled if name not in answered}, **responses}

    def _has_open_wanted_fields(self, step: Step) -> bool:
        """Whether a `wanted` field is still unknown."""
        known = {item.field for item in self.known if item.step == step.id}
        return bool(known) and not known.issuperset(step.wanted)

    def known_values(self, step: Step) -> dict[str, Any]:
        """The known values of a step, by the names that clients use."""
        return {
            wire_name(step.model, item.field): item.value
            for item in self.known
            if item.step == step.id
        }


@dataclass(frozen=True)
class Place:
    """The position of a run.

    `path` are the steps so far, the `current` one last; each but the last has its answer in
    `answers`.  `stored` holds all answers that may still apply, including those of later steps,
    which count again once the path reaches them.  `set_aside` holds those of steps that the
    answers do not lead to now: they count again, as they were given, if the answers do again.
    """

    path: tuple[Step, ...]
    answers: Answers
    stored: Mapping[str, Values]
    set_aside: Mapping[str, Values]
    from_known: frozenset[str]
    """Steps of the path that were known and not asked."""
    to_come: int
    """Steps after the current one that will be asked, as far as the answers show."""
    may_change: bool
    """Whether further answers may add or remove steps."""
    problems: tuple[Notice, ...] = field(default=())
    """Why the earlier answer of the current step is no longer valid."""

    @property
    def current(self) -> Step:
        """The first step without a valid answer; the outcome if all are answered."""
        return self.path[-1]

    @property
    def is_done(self) -> bool:
        """Whether every step is answered."""
        return self.current.kind is StepKind.OUTCOME

    def on_path(self, step_id: str) -> Step | None:
        """The step with that id, if it is on the path."""
        return next((step for step in self.path if step.id == step_id), None)

    def before(self, step_id: str) -> Step | None:
        """The previous step on the path."""
        ids = [step.id for step in self.path]
        at = ids.index(step_id) if step_id in ids else 0
        return self.path[at - 1] if at > 0 else None

    def answers_up_to(self, step_id: str) -> Answers:
        """The answers along the path up to and including that step."""
        ids = [step.id for step in self.path]
        ids_up_to = ids[: ids.index(step_id) + 1]
        answers = {
            name: self.answers.by_step[name] for name in ids_up_to if name in self.answers.by_step
        }
        return Answers(self.answers.today, answers)


def replay(start: Start, history: Sequence[Entry]) -> Place:
    """The position of a run after these answers.  Pure: the same history gives the same result."""
    answers: Mapping[str, Values] = {}
    for entry in history:
        answers = apply_answer(start, answers, entry)
    return walk(start, answers)


def apply_answer(start: Start, answers: Mapping[str, Values], entry: Entry) -> dict[str, Values]:
    """All answers given so far, each as it was given last, also those of steps off the path.

    An earlier review does not confirm answers that were changed after it.
    """
    steps = start.wizard.steps
    index = next((i for i, step in enumerate(steps) if step.id == entry.step), None)
    if index is None:
        return dict(answers)
    updated = {**answers, entry.step: entry.values}
    if answers.get(entry.step) != entry.values:
        for step in steps[index + 1 :]:
            if step.kind is StepKind.REVIEW:
                updated.pop(step.id, None)
    return updated


def walk(start: Start, answers: Mapping[str, Values]) -> Place:
    """Follow the steps as far as the answers lead."""
    known_so_far = Answers(start.today, {})
    path: list[Step] = []
    hidden: set[str] = set()
    from_known: set[str] = set()
    problems: tuple[Notice, ...] = ()
    accepted = known_so_far
    is_past_current = False
    to_come, may_change = 0, False
    for step in start.wizard.steps:
        may_change |= is_past_current and step.show_if is not None
        is_shown = _is_shown(step, known_so_far, is_past_current=is_past_current)
        if is_shown is False:
            hidden.add(step.id)
            continue
        answer = start.answer_for(step, answers)
        problems_found = (
            () if answer is None else _problems(step, known_so_far.with_answer(step.id, answer))
        )
        is_answered = (
            answer is not None and not problems_found and step.kind is not StepKind.OUTCOME
        )
        is_known = is_answered and step.id not in answers
        if is_past_current:
            to_come += bool(is_shown) and not is_known and step.kind is not StepKind.OUTCOME
        else:
            path.append(step)
            if is_known:
                from_known.add(step.id)
        if answer is not None and is_answered and is_shown:
            known_so_far = known_so_far.with_answer(step.id, answer)
        if not is_past_current:
            accepted = known_so_far
            if not is_answered:
                is_past_current, problems = True, problems_found
    return Place(
        path=tuple(path),
        answers=accepted,
        stored={name: values for name, values in answers.items() if name not in hidden},
        set_aside={name: values for name, values in answers.items() if name in hidden},
        from_known=frozenset(from_known),
        to_come=to_come,
        may_change=may_change,
        problems=problems,
    )


def _is_shown(step: Step, answers: Answers, *, is_past_current: bool) -> bool | None:
    """Whether the answers lead to the step; None if that depends on an answer still to come."""
    if step.show_if is None:
        return True
    try:
        return bool(step.show_if(answers))
    except NotAnswered:
        return None if is_past_current else False


def _problems(step: Step, answers: Answers) -> tuple[Notice, ...]:
    if step.check is None:
        return ()
    try:
        return tuple(step.check(answers))
    except NotAnswered:
        return ()
