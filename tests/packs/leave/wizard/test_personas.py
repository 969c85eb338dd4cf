"""Thirteen people go through leave.request: what it asks and says is what the law gives them."""

from __future__ import annotations

from datetime import date

import pytest

from packs.leave.wizard.people import PERSONAS, Persona
from packs.leave.wizard.unusual_people import UNUSUAL
from whence.packs.leave.eligibility.overview import overview
from whence.packs.leave.eligibility.words import FIELDS
from whence.packs.leave.flows.dossier import body_of
from whence.packs.leave.records import LeaveRequest
from whence.packs.leave.wizard.definition import REQUEST
from whence.packs.leave.wizard.outcome import DATES
from whence.sdk.values import now
from whence.wizards.path import Entry, Place, Start, replay


def gone_through(persona: Persona) -> Place:
    start, history = Start(REQUEST, date(2026, 1, 5)), list[Entry]()
    place = replay(start, history)
    for step, values in [*persona.answers.items(), ("review", {})]:
        assert place.current.id == step, f"it asks {place.current.id}, not {step}"
        history.append(Entry(step, values))
        place = replay(start, history)
        assert not place.problems
    return place


@pytest.mark.parametrize("persona", [*PERSONAS, *UNUSUAL], ids=lambda one: one.who.split()[0])
def test_it_asks_what_matters_and_says_what_the_law_gives(persona: Persona) -> None:
    place = gone_through(persona)
    assert place.is_done
    outcome = REQUEST.outcome(place.answers)
    assert outcome.title == persona.title
    for words in persona.says:
        assert words in outcome.text, f"{words!r} is not in {outcome.text}"
    for words in persona.never:
        assert words not in outcome.text
    assert len(outcome.values["warnings"]) == persona.warns
    assert "A diagnosis was neither asked for nor needed" in outcome.text


@pytest.mark.parametrize("persona", [*PERSONAS, *UNUSUAL], ids=lambda one: one.who.split()[0])
def test_the_record_that_it_writes_says_the_same_when_it_is_researched(persona: Persona) -> None:
    place = gone_through(persona)
    assert REQUEST.fill is not None
    written = REQUEST.fill(place.answers)
    assert isinstance(written, LeaveRequest)
    body = body_of(overview(written, now().date())).model_dump(mode="json", by_alias=True)
    # The outcome names what is missing as people read it.
    missing = [FIELDS[name] for name in body["missing"]]
    dates = [one | {"title": DATES[one["name"]]} for one in body["dates"]]
    outcome = REQUEST.outcome(place.answers)
    assert body | {"missing": missing, "dates": dates} == outcome.values
    assert list(outcome.about) == ["Request", "First day", "Last day"]
