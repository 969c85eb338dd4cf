"""Figures as people write them: commas for thousands are taken, what is no figure is not."""

from __future__ import annotations

from typing import Any

import pytest

from whence.packs.leave.wizard.definition import REQUEST
from whence.wizards.reading import read


def answer(step: str, **responses: Any) -> Any:
    result = REQUEST.step(step)
    assert result is not None
    return read(result, responses)


@pytest.mark.parametrize(
    ("written", "hours"),
    [("1,600", 1600.0), ("1,250.5", 1250.5), ("1600", 1600.0), (" 1,600 ", 1600.0)],
)
def test_commas_for_thousands_are_taken(written: str, hours: float) -> None:
    assert answer("hours", hoursLast12Months=written).hours_last_12_months == hours


def test_whole_numbers_have_them_too() -> None:
    assert answer("employer", publicEmployer=False, employees="12,000").employees == 12_000


@pytest.mark.parametrize("written", ["1,60", "1,6000", "16,00", "1,600,", "1.600,0", "many"])
def test_what_is_no_figure_is_refused(written: str) -> None:
    errors = answer("hours", hoursLast12Months=written)
    assert [error.message for error in errors] == ["Enter a number."]
