"""Laws of the path: whatever is answered, in whatever order, on whatever definition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, create_model

from whence.wizards.answers import Answers
from whence.wizards.definition import (
    KnownValue,
    Notice,
    Step,
    StepKind,
    Wizard,
    WizardOutcome,
)
from whence.wizards.path import Entry, Place, Start, answered, replay, walk

MOST_STEPS = 7
VALUES = 3
Value = Annotated[int, Field(ge=0, lt=VALUES)]
MODELS: list[type[BaseModel]] = [
    create_model(f"M{number}", value=(Value, ...)) for number in range(MOST_STEPS)
]
TODAY = date(2026, 1, 5)


@dataclass(frozen=True)
class Shape:
    """A step of a random definition."""

    shown_if: tuple[int, int] | None
    """Only when that earlier step was answered with that value."""
    strict: bool
    """Looks at the earlier answer without asking whether there is one."""
    unlike: int | None
    """Its answer has to differ from that of this earlier step."""
    is_review: bool
    known: int | None


def value_of(answers: Answers, number: int) -> int | None:
    found: Any = answers.get(MODELS[number])
    return None if found is None else found.value


def predicate(shape: Shape) -> Callable[[Answers], bool] | None:
    if shape.shown_if is None:
        return None
    number, value = shape.shown_if

    def shown(answers: Answers) -> bool:
        if shape.strict:
            answer: Any = answers[MODELS[number]]
            return bool(answer.value == value)
        return value_of(answers, number) == value

    return shown


def checker(at: int, shape: Shape) -> Callable[[Answers], list[Notice]] | None:
    if shape.unlike is None:
        return None
    other = shape.unlike

    def check(answers: Answers) -> list[Notice]:
        same = value_of(answers, at) == value_of(answers, other)
        return [Notice("Something else than before.", "value")] if same else []

    return check


def start_of(shapes: list[Shape]) -> Start:
    steps = [
        Step(f"s{at}", "A review", kind=StepKind.REVIEW, show_if=predicate(shape))
        if shape.is_review
        else Step(
            f"s{at}", "A question", MODELS[at], show_if=predicate(shape), check=checker(at, shape)
        )
        for at, shape in enumerate(shapes)
    ]
    end = Step("end", "The end", kind=StepKind.OUTCOME)
    wizard = Wizard("a.b", "1", "Any", [*steps, end], lambda _: WizardOutcome("End", ""))
    known = [
        KnownValue(f"s{at}", "value", shape.known, "before")
        for at, shape in enumerate(shapes)
        if shape.known is not None and not shape.is_review
    ]
    return Start(wizard, TODAY, known)


@st.composite
def definitions(draw: st.DrawFn) -> Start:
    shapes: list[Shape] = []
    for at in range(draw(st.integers(1, MOST_STEPS))):
        earlier = st.none() if at == 0 else st.none() | st.integers(0, at - 1)
        condition = draw(earlier)
        unlike = draw(earlier)
        shapes.append(
            Shape(
                shown_if=None if condition is None else (condition, draw(st.integers(0, 1))),
                strict=draw(st.booleans()),
                unlike=unlike,
                is_review=at > 0 and draw(st.integers(0, 4)) == 0,
                known=draw(st.none() | st.none() | st.integers(0, VALUES - 1)),
            )
        )
    return start_of(shapes)


submits = st.lists(
    st.tuples(st.integers(0, MOST_STEPS - 1), st.integers(0, VALUES - 1)), max_size=25
)


def entry(start: Start, number: int, value: int) -> Entry | None:
    """What somebody sends for a step, if the definition has it."""
    step = start.wizard.step(f"s{number}")
    if step is None:
        return None
    return Entry(step.id, {} if step.kind is StepKind.REVIEW else {"value": value})


def taken(start: Start, history: list[Entry], sent: Entry) -> bool:
    """Whether the service takes it: the step is on the path, and its answer does."""
    if replay(start, history).on_path(sent.step) is None:
        return False
    after = replay(start, [*history, sent])
    return not (after.current.id == sent.step and after.problems)


def played(start: Start, wanted: list[tuple[int, int]]) -> list[Entry]:
    history: list[Entry] = []
    for number, value in wanted:
        sent = entry(start, number, value)
        if sent is not None and taken(start, history, sent):
            history.append(sent)
    return history


def applies(start: Start, place: Place) -> bool:
    """Whether each step of the path follows from the answers before it, told by the definition."""
    seen = Answers(TODAY, {})
    for step in place.path:
        if step.show_if is not None and not step.show_if(seen):
            return False
        if step.id in place.answers.by_step:
            seen = seen.having(step.id, place.answers.by_step[step.id])
            if step.check is not None and step.check(seen):
                return False
    return True


laws = settings(max_examples=60, deadline=None)


@laws
@given(definitions(), submits)
def test_the_path_never_visits_an_unreachable_step(
    start: Start, wanted: list[tuple[int, int]]
) -> None:
    history = played(start, wanted)
    for count in range(len(history) + 1):
        assert applies(start, replay(start, history[:count]))


@laws
@given(definitions(), submits)
def test_no_answer_is_left_that_does_not_apply_any_more(
    start: Start, wanted: list[tuple[int, int]]
) -> None:
    history = played(start, wanted)
    for count in range(len(history) + 1):
        place = replay(start, history[:count])
        on_path = {step.id for step in place.path}
        assert set(place.answers.by_step) == on_path - {place.current.id}
        assert not set(place.given) & walk(start, place.given)[1]
        if place.is_done:
            assert set(place.given) <= set(place.answers.by_step)


@laws
@given(definitions(), submits)
def test_a_dropped_answer_does_not_come_back(start: Start, wanted: list[tuple[int, int]]) -> None:
    given_now: dict[str, Any] = {}
    for sent in played(start, wanted):
        before = set(given_now)
        given_now = answered(start, given_now, sent)
        assert set(given_now) <= before | {sent.step}


@laws
@given(definitions(), submits)
def test_replaying_the_history_finds_the_place_that_was_reached(
    start: Start, wanted: list[tuple[int, int]]
) -> None:
    given_now: dict[str, Any] = {}
    history = played(start, wanted)
    for count, sent in enumerate(history, 1):
        given_now = answered(start, given_now, sent)
        place = replay(start, history[:count])
        reached = walk(start, given_now)[0]
        assert place.given == given_now
        assert place.path == reached.path
        assert place.answers.by_step == reached.answers.by_step


def plainly(start: Start, history: list[Entry]) -> dict[str, Any]:
    """What applies after a history, by going the whole way after each answer."""
    given_now: dict[str, Any] = {}
    order = [step.id for step in start.wizard.steps]
    reviews = {step.id for step in start.wizard.steps if step.kind is StepKind.REVIEW}
    for one in history:
        later = set(order[order.index(one.step) + 1 :])
        dropped = later & reviews if given_now.get(one.step) != one.values else set()
        after = {**given_now, one.step: one.values}
        dropped |= walk(start, {k: v for k, v in after.items() if k not in dropped})[1]
        given_now = {name: values for name, values in after.items() if name not in dropped}
    return given_now


@laws
@given(definitions(), submits)
def test_a_replay_finds_what_going_the_whole_way_after_each_answer_finds(
    start: Start, wanted: list[tuple[int, int]]
) -> None:
    history = played(start, wanted)

    assert replay(start, history).given == plainly(start, history)


@laws
@given(definitions(), submits, st.integers(0, 24))
def test_the_same_answer_twice_is_once(
    start: Start, wanted: list[tuple[int, int]], at: int
) -> None:
    history = played(start, wanted)
    twice = [*history[: at + 1], *history[at : at + 1], *history[at + 1 :]]

    assert replay(start, twice).given == replay(start, history).given
    assert replay(start, twice).path == replay(start, history).path


@laws
@given(definitions(), submits)
def test_whoever_goes_on_answering_arrives(start: Start, wanted: list[tuple[int, int]]) -> None:
    history = played(start, wanted)
    for _ in range(MOST_STEPS):
        place = replay(start, history)
        if place.is_done:
            break
        number = int(place.current.id[1:])
        sent = [entry(start, number, value) for value in range(VALUES)]
        history.append(next(one for one in sent if one and taken(start, history, one)))

    assert replay(start, history).is_done


@pytest.mark.parametrize(("second", "asked"), [(0, "s2"), (1, "s1")])
def test_a_changed_answer_asks_for_a_review_again_and_the_same_one_does_not(
    second: int, asked: str
) -> None:
    plain = Shape(shown_if=None, strict=False, unlike=None, is_review=False, known=None)
    start = start_of([plain, replace(plain, is_review=True), plain])
    sent = [entry(start, number, value) for number, value in ((0, 0), (1, 0), (0, second))]

    assert replay(start, [one for one in sent if one]).current.id == asked
