"""Days as people name them: nearest to what the record is about, the month first."""

from __future__ import annotations

from datetime import date

import pytest

from whence.kernel.dates import dates, read_day

TODAY = date(2026, 11, 23)
ABOUT = date(2027, 3, 1)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("June 3rd", date(2026, 6, 3)),
        ("december 1st", date(2026, 12, 1)),
        ("the 3rd of June 2027", date(2027, 6, 3)),
        ("in two weeks", date(2026, 12, 7)),
        ("in a week", date(2026, 11, 30)),
        ("three days ago", date(2026, 11, 20)),
        ("in 2 months", date(2027, 1, 23)),
        ("next month", date(2026, 12, 1)),
        ("next week", date(2026, 11, 30)),
        ("next year", date(2027, 1, 1)),
        ("tomorrow", date(2026, 11, 24)),
        ("next monday", date(2026, 11, 30)),
        ("3/2/2027", date(2027, 3, 2)),
        ("3/2/27", date(2027, 3, 2)),
        ("2027-03-02", date(2027, 3, 2)),
        ("on May 4, 2027", date(2027, 5, 4)),
        ("soon", None),
        ("13/2", None),
        ("2/30", None),
    ],
)
def test_a_day_is_read_from_words(words: str, day: date | None) -> None:
    assert read_day(words, TODAY) == day


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("3/2", date(2027, 3, 2)),
        ("April 10", date(2027, 4, 10)),
        ("June 3rd", date(2027, 6, 3)),
        ("February 1st", date(2027, 2, 1)),
        ("December 1st", date(2026, 12, 1)),
        ("3/2/2026", date(2026, 3, 2)),
    ],
)
def test_a_day_without_a_year_is_in_the_year_that_the_record_is_about(
    words: str, day: date
) -> None:
    assert read_day(words, TODAY, ABOUT) == day


def test_an_ordinal_is_a_day_in_capitals_too() -> None:
    [written] = dates("From June 3RD on")
    assert written.readings == {(None, 6, 3)}
