"""An assessment in a terminal: whole at every width, honest about its sources, steered by none."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from whence.cli.session import SafeConsole
from whence.packs.leave.eligibility.overview import overview
from whence.packs.leave.evals import SCENARIOS
from whence.packs.leave.evals.scenarios import read_scenarios
from whence.packs.leave.flows.dossier import body_of
from whence.packs.leave.records import LeaveRequest
from whence.packs.leave.show import show

NewRequest = Callable[..., LeaveRequest]
NASTY = "[red]x[/red] [/] \x1b[31mESC\x07 \u202eback\\"


def drawn(request: LeaveRequest, width: int, **changed: Any) -> str:
    body = body_of(overview(request)).model_dump(mode="json", by_alias=True) | changed
    out = io.StringIO()
    console = SafeConsole(file=out, width=width, force_terminal=True, color_system=None)
    console.print(show({"body": body}, [], {"title": request.title}))
    return out.getvalue()


def test_every_assessment_fits_every_width() -> None:
    for scenario in read_scenarios(SCENARIOS)[::20]:
        for width in (60, 100):
            words = drawn(scenario.request, width)
            assert max(map(len, words.splitlines())) <= width, scenario.name
            assert "How sure" in words


def test_standing_rules_leave_days_and_sections_are_there(a_request: NewRequest) -> None:
    words = drawn(a_request(reason="bonding_birth", child_arrives_on="2026-02-10"), 140)
    for shown in (
        "appears eligible",
        "does not appear eligible",
        "29 CFR 825.110",
        "How much leave",
        "What is due when",
        "spouse works for the same employer",
        "The employer decides.",
    ):
        assert shown in words


def test_a_section_that_was_not_read_is_marked(a_request: NewRequest) -> None:
    words = drawn(a_request(reason="bonding_birth", child_arrives_on="2026-02-10"), 160)
    assert "2 CCR 11090(d)*" in words
    assert "2 CCR 11091(a)(6)*" in words
    assert "2 CCR 11090(d): checked only against reports by others" in words
    california = drawn(a_request(reason="pregnancy_disability"), 160)
    assert "2 CCR 11008*" in california
    assert "2 CCR 11008: checked only against reports by others" in california


def test_what_is_missing_is_named(a_request: NewRequest) -> None:
    words = " ".join(drawn(a_request(hours_last_12_months=None), 160).split())
    assert "Not known yet: the hours worked in the 12 months before the leave" in words


def test_a_title_is_shown_as_it_is_and_steers_nothing(a_request: NewRequest) -> None:
    words = drawn(a_request(title=NASTY), 140, warnings=[NASTY])
    assert "[red]x[/red]" in words
    assert not {"\x1b", "\x07", "\u202e"} & set(words)


def test_an_assessment_of_an_older_version_is_shown_too(a_request: NewRequest) -> None:
    body = body_of(overview(a_request())).model_dump(mode="json", by_alias=True)
    for name in ("remarks", "unread"):
        del body[name]
    for law in body["laws"]:
        del law["rulesEffective"]
        for rule in law["rules"]:
            del rule["basis"], rule["source"]
    for due in body["dates"]:
        del due["basis"], due["later"]
    out = io.StringIO()
    SafeConsole(file=out, width=120).print(show({"body": body}, [], {"title": "Old"}))
    assert "appears eligible" in out.getvalue()


def test_the_legend_explains_the_marks_that_occur_and_no_others(a_request: NewRequest) -> None:
    reports = drawn(a_request(reason="bonding_birth", child_arrives_on="2026-02-10"), 160)
    assert "* the section's own text was not read, only reports of it" in reports
    assert "** " not in reports


def test_the_drafts_are_named_with_the_command_that_prints_them(a_request: NewRequest) -> None:
    words = drawn(a_request(), 120)
    assert "Notice of eligibility (29 CFR 825.300(b); 2 CCR 11091(a))" in words
    assert "whence export leave-requests/" in words
