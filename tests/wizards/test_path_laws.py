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
from whence.wizards.path import Entry, Start, replay
from wizards.laws import LAWS, Law, places, taken

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
    result: Any = answers.get(MODELS[number])
    return None if result is None else result.value


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


Submits = list[tuple[bool, int, int]]
submits: st.SearchStrategy[Submits] = st.lists(
    st.tuples(st.booleans(), st.integers(0, MOST_STEPS - 1), st.integers(0, VALUES - 1)),
    max_size=25,
)
"""Whether to answer the step that the run is at, else which one of its path; and the value."""


def entry(start: Start, number: int, value: int) -> Entry | None:
    """What somebody sends for a step, if the definition has it."""
    step = start.wizard.step(f"s{number}")
    if step is None:
        return None
    return Entry(step.id, {} if step.kind is StepKind.REVIEW else {"value": value})


def played(start: Start, wanted: Submits) -> list[Entry]:
    history: list[Entry] = []
    for goes_on, at, value in wanted:
        place = replay(start, history)
        step = place.current if goes_on else place.path[at % len(place.path)]
        number = MOST_STEPS if step.kind is StepKind.OUTCOME else int(step.id[1:])
        sent = entry(start, number, value)
        if sent is not None and taken(start, history, sent):
            history.append(sent)
    return history


laws = settings(max_examples=60)


@pytest.mark.parametrize("law", LAWS, ids=[law.__name__ for law in LAWS])
@laws
@given(start=definitions(), wanted=submits)
def test_whatever_is_answered_the_path(law: Law, start: Start, wanted: Submits) -> None:
    history = played(start, wanted)
    law(start, history, places(start, history))


@laws
@given(definitions(), submits, st.integers(0, 24))
def test_the_same_answer_twice_is_once(start: Start, wanted: Submits, at: int) -> None:
    history = played(start, wanted)
    twice = [*history[: at + 1], *history[at : at + 1], *history[at + 1 :]]

    assert replay(start, twice).stored == replay(start, history).stored
    assert replay(start, twice).path == replay(start, history).path


@laws
@given(definitions(), submits)
def test_whoever_goes_on_answering_arrives(start: Start, wanted: Submits) -> None:
    history = played(start, wanted)
    for _ in range(MOST_STEPS):
        place = replay(start, history)
        if place.is_done:
            break
        number = int(place.current.id[1:])
        sent = [entry(start, number, value) for value in range(VALUES)]
        history.append(next(one for one in sent if one and taken(start, history, one)))

    assert replay(start, history).is_done


def test_answers_set_aside_by_a_slip_come_back_when_it_is_corrected() -> None:
    plain = Shape(shown_if=None, strict=False, unlike=None, is_review=False, known=None)
    shapes = [
        plain,
        replace(plain, shown_if=(0, 1)),
        replace(plain, shown_if=(1, 1), strict=True),
        replace(plain, is_review=True),
    ]
    start = start_of(shapes)
    sent = [one for at in [(0, 1), (1, 1), (2, 2), (3, 0), (0, 0)] if (one := entry(start, *at))]
    slip = replay(start, sent)
    assert (set(slip.stored), set(slip.set_aside)) == ({"s0"}, {"s1", "s2"})

    corrected = replay(start, [*sent, Entry("s0", {"value": 1})])
    assert corrected.current.id == "s3"  # only the review is asked for again
    assert corrected.stored == {"s0": {"value": 1}, "s1": {"value": 1}, "s2": {"value": 2}}


def test_an_answer_behind_one_that_is_refused_now_is_kept() -> None:
    plain = Shape(shown_if=None, strict=False, unlike=None, is_review=False, known=None)
    unlike = start_of(
        [plain, replace(plain, unlike=0), replace(plain, shown_if=(1, 1), strict=True)]
    )
    sent = [(0, 0), (1, 1), (2, 2), (0, 1)]
    refused = replay(unlike, [one for at in sent if (one := entry(unlike, *at))])
    assert refused.current.id == "s1"
    assert [problem.code for problem in refused.problems] == ["odd"]
    assert set(refused.stored) == {"s0", "s1", "s2"}  # whether it applies cannot be told yet


@pytest.mark.parametrize(("second", "current"), [(0, "s2"), (1, "s1")])
def test_a_changed_answer_asks_for_a_review_again_and_the_same_one_does_not(
    second: int, current: str
) -> None:
    plain = Shape(shown_if=None, strict=False, unlike=None, is_review=False, known=None)
    start = start_of([plain, replace(plain, is_review=True), plain])
    sent = [entry(start, number, value) for number, value in ((0, 0), (1, 0), (0, second))]

    assert replay(start, [one for one in sent if one]).current.id == current
