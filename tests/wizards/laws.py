"""The laws of a wizard's path, for a history that the service would have taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whence.wizards.answers import Answers, NotAnswered
from whence.wizards.definition import Step, StepKind
from whence.wizards.path import Entry, Place, Start, replay, walk

Given = dict[str, Any]
Law = Callable[[Start, list[Entry], list[Place]], None]
"""Raises AssertionError for a history that breaks it; `reached` are its `places`."""


def taken(start: Start, history: list[Entry], sent: Entry) -> bool:
    """Whether the service takes it: the step is on the path, and its answer does."""
    if replay(start, history).on_path(sent.step) is None:
        return False
    after = replay(start, [*history, sent])
    return not (after.current.id == sent.step and after.problems)


def places(start: Start, history: list[Entry]) -> list[Place]:
    """Where the run stood before the first answer, and after each."""
    return [replay(start, history[:count]) for count in range(len(history) + 1)]


def never_visits_what_is_unreachable(
    start: Start, history: list[Entry], reached: list[Place]
) -> None:
    """A step is on the path exactly if the answers before it lead to it, and each answer does."""
    for place in reached:
        answers = Answers(start.today, {})
        on_path = {step.id for step in place.path}
        for step in start.wizard.steps:
            assert leads_to(step, answers) is (step.id in on_path), step.id
            if step is place.current:
                break
            if step.id in place.answers.by_step:
                answers = answers.with_answer(step.id, place.answers.by_step[step.id])
                assert step.check is None or not step.check(answers), step.id


def leads_to(step: Step, answers: Answers) -> bool:
    """Told by the definition alone."""
    try:
        return step.show_if is None or step.show_if(answers)
    except NotAnswered:
        return False


def leaves_nothing_that_does_not_apply(
    start: Start, history: list[Entry], reached: list[Place]
) -> None:
    """Only answers of steps that are or may be on the path are there, each as it was given last."""
    for count, place in enumerate(reached):
        on_path = {step.id for step in place.path}
        assert set(place.answers.by_step) == on_path - {place.current.id}
        assert not set(place.stored) & walk(start, place.stored)[1]
        last = {entry.step: entry.values for entry in history[:count]}
        assert place.stored.items() <= last.items()
        if place.is_done:
            assert set(place.stored) <= set(place.answers.by_step)


def brings_nothing_back(start: Start, history: list[Entry], reached: list[Place]) -> None:
    """An answer that was dropped applies again only once it is given again."""
    for earlier, later, sent in zip(reached, reached[1:], history, strict=False):
        assert set(later.stored) <= set(earlier.stored) | {sent.step}


def replays_as_it_went(start: Start, history: list[Entry], reached: list[Place]) -> None:
    """A replay finds what going the whole way after each answer has found."""
    stored: Given = {}
    order = [step.id for step in start.wizard.steps]
    reviews = {step.id for step in start.wizard.steps if step.kind is StepKind.REVIEW}
    for place, one in zip(reached[1:], history, strict=True):
        later = set(order[order.index(one.step) + 1 :])
        dropped = later & reviews if stored.get(one.step) != one.values else set()
        after = {**stored, one.step: one.values}
        dropped |= walk(start, {k: v for k, v in after.items() if k not in dropped})[1]
        stored = {name: values for name, values in after.items() if name not in dropped}
        assert place.stored == stored
        assert place.answers.by_step == walk(start, stored)[0].answers.by_step


def asks_for_a_review_of_what_changed(
    start: Start, history: list[Entry], reached: list[Place]
) -> None:
    """No review stands that was given before an answer that it shows."""
    for count, place in enumerate(reached):
        asked_last = {entry.step: at for at, entry in enumerate(history[:count])}
        changed_last: dict[str, int] = {}
        values: Given = {}
        for at, entry in enumerate(history[:count]):
            if values.get(entry.step) != entry.values:
                changed_last[entry.step], values[entry.step] = at, entry.values
        for at, step in enumerate(place.path):
            if step.kind is StepKind.REVIEW and step.id in place.answers.by_step:
                shown = [changed_last.get(one.id, -1) for one in place.path[:at]]
                assert max(shown, default=-1) < asked_last[step.id]


LAWS: tuple[Law, ...] = (
    never_visits_what_is_unreachable,
    leaves_nothing_that_does_not_apply,
    brings_nothing_back,
    replays_as_it_went,
    asks_for_a_review_of_what_changed,
)
