"""The path through a wizard, derived by replaying the answers; there is no stored pointer."""

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
    """What a run is replayed from: its definition, its first day, and what was known then."""

    wizard: Wizard
    today: date
    known: Sequence[KnownValue] = ()
    _read: dict[tuple[str, int | None], tuple[Values, BaseModel | None]] = field(
        default_factory=dict[tuple[str, int | None], tuple[Values, BaseModel | None]],
        compare=False,
        repr=False,
    )
    """What was read before: a replay comes by each answer as often as there are later ones."""

    def answer_to(self, step: Step, given: Mapping[str, Values]) -> BaseModel | None:
        """The step's answer, said or known; None where there is none that its model takes."""
        values = given.get(step.id)
        if values is None and (step.kind is not StepKind.QUESTION or step.always_ask):
            return None
        if values is None and self._wants(step):
            return None
        # By identity, which stands for the content while the memory keeps the values alive.
        key = (step.id, None if values is None else id(values))
        if key not in self._read:
            meant = self.known_of(step) if values is None else values
            found = read(step, meant) if values is not None or meant else None
            self._read[key] = (meant, found if isinstance(found, BaseModel) else None)
        return self._read[key][1]

    def settled(self, step: Step, given: Mapping[str, Values]) -> dict[str, Any]:
        """What is known of a step that is asked for the rest; none of it is asked again.

        Empty where all of the step is shown: it was answered, is known whole, always asks, or
        what is known of it does not fit its model.
        """
        known = self.known_of(step)
        if (
            not known
            or step.id in given
            or step.always_ask
            or self.answer_to(step, given) is not None
        ):
            return {}
        found = read(step, known)
        wrong = {error.field for error in found} if isinstance(found, list) else set[str | None]()
        return {} if wrong & {None, *known} else known

    def completed(
        self, step: Step, given: Mapping[str, Values], responses: Mapping[str, Any]
    ) -> dict[str, Any]:
        """A response with what was known and not asked; what it says itself goes before."""
        said = {wire_name(step.model, name) for name in responses}
        settled = self.settled(step, given).items()
        return {**{name: value for name, value in settled if name not in said}, **responses}

    def _wants(self, step: Step) -> bool:
        """Whether something is not known that is worth asking for."""
        known = {item.field for item in self.known if item.step == step.id}
        return bool(known) and not known.issuperset(step.wanted)

    def known_of(self, step: Step) -> dict[str, Any]:
        """What is known for a step, by the names that clients use."""
        return {
            wire_name(step.model, item.field): item.value
            for item in self.known
            if item.step == step.id
        }


@dataclass(frozen=True)
class Place:
    """Where a run stands.

    `path` are the steps a person has come by, the `current` one last; each but the last has its
    answer in `answers`.  `given` holds what was answered and may still apply: also the answers of
    later steps, which count again once the path gets to them.
    """

    path: tuple[Step, ...]
    answers: Answers
    given: Mapping[str, Values]
    from_known: frozenset[str]
    """Steps of the path that were not asked."""
    to_come: int
    """Steps after the current one that will be asked, as far as the answers tell."""
    may_change: bool
    """Whether the answers to come may show more steps, or fewer."""
    problems: tuple[Notice, ...] = field(default=())
    """Why the current step's answer of before does not do any more."""

    @property
    def current(self) -> Step:
        """The first step without an answer that does; the outcome when there is none."""
        return self.path[-1]

    @property
    def is_done(self) -> bool:
        """Whether every step was answered."""
        return self.current.kind is StepKind.OUTCOME

    def on_path(self, step_id: str) -> Step | None:
        """The step of that id, if the path has it."""
        return next((step for step in self.path if step.id == step_id), None)

    def before(self, step_id: str) -> Step | None:
        """The step of the path before that one."""
        ids = [step.id for step in self.path]
        at = ids.index(step_id) if step_id in ids else 0
        return self.path[at - 1] if at > 0 else None

    def answers_up_to(self, step_id: str) -> Answers:
        """The answers of the path up to that step, with its own."""
        ids = [step.id for step in self.path]
        wanted = ids[: ids.index(step_id) + 1]
        found = {
            name: self.answers.by_step[name] for name in wanted if name in self.answers.by_step
        }
        return Answers(self.answers.today, found)


def replay(start: Start, history: Sequence[Entry]) -> Place:
    """Where a run stands after these answers.  Pure: the same history gives the same place."""
    given: Mapping[str, Values] = {}
    for entry in history:
        given = answered(start, given, entry)
    return walk(start, given)[0]


def answered(start: Start, given: Mapping[str, Values], entry: Entry) -> dict[str, Values]:
    """The answers that apply after this one: those of steps that it takes off the path are gone.

    A review of before does not stand for answers that were changed after it.
    """
    steps = start.wizard.steps
    at = next((i for i, step in enumerate(steps) if step.id == entry.step), None)
    if at is None:
        return dict(given)
    after = {**given, entry.step: entry.values}
    if given.get(entry.step) == entry.values:
        return after
    for step in steps[at + 1 :]:
        if step.kind is StepKind.REVIEW:
            after.pop(step.id, None)
    if not any(step.id in after for step in steps[at + 1 :]):
        return after  # steps look only back: an answer can take no others off the path
    hidden = walk(start, after)[1]
    return {name: values for name, values in after.items() if name not in hidden}


def walk(start: Start, given: Mapping[str, Values]) -> tuple[Place, frozenset[str]]:
    """Go along the steps as far as the answers lead; also the steps that they leave out."""
    seen = Answers(start.today, {})
    path: list[Step] = []
    hidden: set[str] = set()
    from_known: set[str] = set()
    problems: tuple[Notice, ...] = ()
    accepted = seen
    arrived = False
    to_come, may_change = 0, False
    for step in start.wizard.steps:
        may_change |= arrived and step.show_if is not None
        shown = _shown(step, seen, beyond=arrived)
        if shown is False:
            hidden.add(step.id)
            continue
        answer = start.answer_to(step, given)
        found = () if answer is None else _problems(step, seen.having(step.id, answer))
        is_answered = answer is not None and not found and step.kind is not StepKind.OUTCOME
        is_known = is_answered and step.id not in given
        if arrived:
            to_come += bool(shown) and not is_known and step.kind is not StepKind.OUTCOME
        else:
            path.append(step)
            if is_known:
                from_known.add(step.id)
        if answer is not None and is_answered and shown:
            seen = seen.having(step.id, answer)
        if not arrived:
            accepted = seen
            if not is_answered:
                arrived, problems = True, found
    left = {name: values for name, values in given.items() if name not in hidden}
    place = Place(tuple(path), accepted, left, frozenset(from_known), to_come, may_change, problems)
    return place, frozenset(hidden)


def _shown(step: Step, seen: Answers, *, beyond: bool) -> bool | None:
    """Whether the answers lead to the step; None: that hangs on an answer still to be given."""
    if step.show_if is None:
        return True
    try:
        return bool(step.show_if(seen))
    except NotAnswered:
        return None if beyond else False


def _problems(step: Step, answers: Answers) -> tuple[Notice, ...]:
    if step.check is None:
        return ()
    try:
        return tuple(step.check(answers))
    except NotAnswered:
        return ()
