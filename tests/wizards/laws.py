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


def counts_nothing_that_does_not_apply(
    start: Start, history: list[Entry], reached: list[Place]
) -> None:
    """Only answers of steps that are or may be on the path are there, each as it was given last."""
    for count, place in enumerate(reached):
        on_path = {step.id for step in place.path}
        assert set(place.answers.by_step) == on_path - {place.current.id}
        assert not walk(start, place.stored).set_aside
        last = {entry.step: entry.values for entry in history[:count]}
        assert place.stored.items() <= last.items()
        if place.is_done:
            assert set(place.stored) <= set(place.answers.by_step)


def loses_nothing(start: Start, history: list[Entry], reached: list[Place]) -> None:
    """Every answer to a question applies or is set aside, as it was given last."""
    reviews = {step.id for step in start.wizard.steps if step.kind is StepKind.REVIEW}
    for count, place in enumerate(reached):
        last = {entry.step: entry.values for entry in history[:count]}
        assert not set(place.stored) & set(place.set_aside)
        kept = {**place.stored, **place.set_aside}
        assert {name: values for name, values in last.items() if name not in reviews} == {
            name: values for name, values in kept.items() if name not in reviews
        }


def brings_back_what_a_slip_set_aside(
    start: Start, history: list[Entry], reached: list[Place]
) -> None:
    """An answer that is changed and changed back leaves every other answer as it was."""
    if not history:
        return
    place, last = reached[-1], history[-1]
    before = {entry.step: entry.values for entry in history[:-1]}.get(last.step)
    if before is None:
        return
    corrected = replay(start, [*history, Entry(last.step, before)])
    earlier = {name: v for name, v in reached[-2].stored.items() if _asks(start, name)}
    assert earlier == {name: v for name, v in corrected.stored.items() if _asks(start, name)}
    assert place.stored.keys() <= {entry.step for entry in history}


def _asks(start: Start, step_id: str) -> bool:
    step = start.wizard.step(step_id)
    return step is not None and step.kind is StepKind.QUESTION


def replays_as_it_went(start: Start, history: list[Entry], reached: list[Place]) -> None:
    """A replay finds what going the whole way after each answer has found."""
    stored: Given = {}
    order = [step.id for step in start.wizard.steps]
    reviews = {step.id for step in start.wizard.steps if step.kind is StepKind.REVIEW}
    for place, one in zip(reached[1:], history, strict=True):
        later = set(order[order.index(one.step) + 1 :])
        dropped = later & reviews if stored.get(one.step) != one.values else set()
        after = {**stored, one.step: one.values}
        stored = {name: values for name, values in after.items() if name not in dropped}
        walked = walk(start, stored)
        assert {**place.stored, **place.set_aside} == stored
        assert place.answers.by_step == walked.answers.by_step


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
    counts_nothing_that_does_not_apply,
    loses_nothing,
    brings_back_what_a_slip_set_aside,
    replays_as_it_went,
    asks_for_a_review_of_what_changed,
)
