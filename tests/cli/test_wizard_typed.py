"""`whence wizard leave.request` in a terminal: answered, corrected, left, and gone on with."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from cli.terminal import COLUMNS, CTRL_C, Terminal
from whence.packs.leave.wizard.definition import REQUEST

Open = Callable[..., Terminal]


@pytest.fixture
def leave(shell: Any) -> Open:
    return lambda *words: Terminal(shell, "wizard", "leave.request", *words)


OPEN = {"closed_from": "", "closed_until": ""}
"""The business is not closed within the leave."""


def label(step: str, field: str) -> str:
    result = REQUEST.step(step)
    assert result is not None
    return result.hints[field].label


def fill(terminal: Terminal, step: str, **lines: str) -> None:
    """Answer every field of a step with a line."""
    for field, line in lines.items():
        terminal.type(label(step, field), line)


def test_a_request_is_left_in_the_middle_and_finished_later(leave: Open) -> None:
    first_day = label("dates", "starts_on")
    with leave() as terminal:
        first = terminal.expect(f"{label('reason', 'reason')}: ")
        assert "Request leave (1 of " in first
        assert "  6  Care for a family member" in first
        terminal.send("1\n")
        fill(terminal, "reason", title="")
        fill(terminal, "need", medical_need="yes")
        fill(terminal, "dates", starts_on="2026-03-02", ends_on="2026-02-30", **OPEN)
        wrong = terminal.expect(f"\n{first_day}: ")
        assert f"! {label('dates', 'ends_on')}: Enter a valid date" in wrong
        assert f"{first_day} (as 2026-03-02) — so far: 2026-03-02" in wrong
        terminal.send("\n")  # keeps what stands there
        fill(terminal, "dates", ends_on="2026-04-10", **OPEN)
        fill(terminal, "pattern", pattern="<")
        assert "so far: 2026-04-10" in terminal.expect(f"\n{first_day}: ")
        terminal.send("\n")
        fill(terminal, "dates", ends_on="", **OPEN)
        fill(terminal, "pattern", pattern="intermittent")
        fill(terminal, "hours_off", hours_off_per_week="8")
        terminal.expect(f"{label('place', 'works_in_california')}: ")
        terminal.send(CTRL_C)
        assert terminal.ended() == 130
        assert "Saved for later; run the same command to continue." in terminal.shown
    with leave() as again:
        terms = again.expect(f"{label('place', 'works_in_california')}: ")
        assert "--new to start over" in terms
        again.send("1\n")
        fill(again, "employer", public_employer="no", employees="120", kinds="")
        fill(again, "site", employees_within_75_miles="80")
        fill(again, "service", hired_on="1/15/2024", earlier_service_months="", job_ends_on="")
        fill(again, "hours", hours_last_12_months="1800", weekly_hours="40", workdays="")
        fill(again, "year", year_method="4")
        fill(again, "before", was_taken="no")
        fill(again, "holidays", works_holidays="3")
        fill(again, "notice", foreseeable="1", need_known_on="", notice_given_on="1/12/2026")
        fill(again, "notice", employer_answered_on="")
        fill(again, "certification", certification="1")
        review = again.expect("a number to change: ")
        near = label("site", "employees_within_75_miles")
        assert f"{near}: 80" in review
        assert f"{label('service', 'hired_on')}: 2024-01-15" in review  # the month was first
        number = re.search(rf"^ +(\d+)  {label('employer', 'public_employer')}", review, re.M)
        assert number is not None
        again.send(f"{number[1]}\n")
        fill(again, "employer", public_employer="", employees="40", kinds="")
        fill(again, "near_fifty", weeks_with_50="", fifty_employees_on="")
        assert near not in again.expect("a number to change: ")
        again.send("\n")
        assert again.ended() == 0
        end = again.shown[again.shown.rindex("Enter for") :]
        assert "Appears eligible under CFRA" in end
    text = terminal.shown + again.shown
    assert "Traceback" not in text
    assert max(len(line) for line in text.splitlines()) <= COLUMNS


def test_a_request_is_left_with_a_letter_begun_anew_and_cancelled(leave: Open) -> None:
    with leave() as terminal:
        fill(terminal, "reason", reason="7", title="q")
        assert terminal.ended() == 0
        assert "Saved for later" in terminal.shown
    with leave("--new") as terminal:
        fill(terminal, "reason", reason="nonsense", title="")
        assert "! Reason: Choose one of the options." in terminal.expect("\nReason: ")
        terminal.send("x\n")
        assert terminal.ended() == 1
        assert "This form was cancelled." in terminal.shown
