"""The laws of the path over the real leave.request, whatever is answered and changed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from whence.packs.leave.records import LeaveRequest
from whence.packs.leave.wizard.definition import REQUEST
from whence.wizards.definition import Step, StepKind
from whence.wizards.fields import schema_of
from whence.wizards.path import Entry, Start, replay
from whence.wizards.reading import read
from wizards.laws import LAWS, places, taken

START = Start(REQUEST, date(2026, 1, 5))
DAYS = ("2025-03-03", "2025-08-18", "2026-03-02", "2026-04-10")
NUMBERS = (0, 1, 4, 5, 49, 50, 1_250, 1_800)
Seeds = list[tuple[bool, int]]
seeds = st.lists(st.tuples(st.booleans(), st.integers(0, 2**32)), min_size=10, max_size=30)
"""Whether to answer the step that the run is at, or one of before; and with what."""
laws = settings(max_examples=12)


def value_of(field_schema: dict[str, Any], schema: dict[str, Any], random: Random) -> Any:
    """Some value of a field, mostly one that is taken."""
    if reference := field_schema.get("$ref"):
        field_schema = schema["$defs"][reference.rpartition("/")[2]]
    if either := field_schema.get("anyOf"):
        return value_of(random.choice(either), schema, random)
    if choices := field_schema.get("enum"):
        return random.choice(choices)
    match field_schema.get("type"):
        case "null":
            return None
        case "boolean":
            return random.random() < 0.5
        case "integer" | "number":
            return random.choice([n for n in NUMBERS if n <= field_schema.get("maximum", n)])
        case "array":
            return [value_of(field_schema["items"], schema, random)]
        case _ if field_schema.get("format") == "date":
            return random.choice(DAYS)
        case _:
            return "07-01" if "pattern" in field_schema else "Some words"


def answer_to(step: Step, seed: int) -> Entry:
    random, schema = Random(seed), schema_of(step.model)
    fields = schema.get("properties", {}).items()
    return Entry(
        step.id, {name: value_of(field_schema, schema, random) for name, field_schema in fields}
    )


def submits(wanted: Seeds, history: list[Entry]) -> Iterator[Entry]:
    """What somebody sends who goes on, and now and then goes back; `history` grows meanwhile."""
    for goes_on, seed in wanted:
        place = replay(START, history)
        at = place.current if goes_on else Random(seed).choice(place.path)
        if at.kind is not StepKind.OUTCOME:
            yield answer_to(at, seed)


def played(wanted: Seeds) -> list[Entry]:
    history: list[Entry] = []
    for sent in submits(wanted, history):
        if taken(START, history, sent):
            history.append(sent)
    return history


@laws
@given(seeds)
def test_the_path_keeps_its_laws_and_leads_to_a_request_and_an_outcome(wanted: Seeds) -> None:
    history = played(wanted)
    reached = places(START, history)
    for law in LAWS:
        law(START, history, reached)

    for seed in range(400):
        place = replay(START, history)
        if place.is_done:
            break
        sent = answer_to(place.current, seed)
        if taken(START, history, sent):
            history.append(sent)
    place = replay(START, history)
    assert place.is_done
    assert len(place.path) <= len(REQUEST.steps)
    assert REQUEST.fill is not None
    assert isinstance(REQUEST.fill(place.answers), LeaveRequest)
    assert REQUEST.outcome(place.answers).rules


def test_the_answers_made_up_here_are_of_every_step() -> None:
    for step in REQUEST.steps:
        tried = [read(step, answer_to(step, seed).values) for seed in range(40)]
        assert any(not isinstance(item, list) for item in tried), step.id
