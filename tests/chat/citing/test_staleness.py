"""Old research is announced with an offer."""

from __future__ import annotations

from datetime import timedelta

from chat.record_views import NOW, dossier, record_view
from whence.chat.citing.staleness import format_age, staleness

MONTH = timedelta(days=30)


def announced(age: timedelta, *, changed_since: bool = False) -> str | None:
    result = dossier(created_at=NOW - age)
    return staleness(record_view(result, changed_since=changed_since), MONTH)


def test_fresh_research_is_not_announced() -> None:
    assert announced(timedelta(days=2)) is None
    assert announced(MONTH) is None


def test_research_older_than_the_packs_age_is_announced_with_an_offer() -> None:
    assert announced(timedelta(days=45)) == (
        "The research of 19 April 2026 is 45 days old, so it may be out of date. "
        "Shall I research it again?"
    )


def test_research_of_a_record_that_changed_since_is_announced() -> None:
    text = announced(timedelta(days=1), changed_since=True)
    assert text is not None
    assert "predates the last change of this lamp" in text


def test_both_reasons_are_told_together() -> None:
    text = announced(timedelta(days=45), changed_since=True)
    assert text is not None
    assert "is 45 days old and predates" in text


def test_a_record_without_research_is_not_stale() -> None:
    assert staleness(record_view(changed_since=True), MONTH) is None


def test_an_age_is_told_in_the_unit_that_fits() -> None:
    ages = (timedelta(minutes=5), timedelta(hours=1), timedelta(hours=3), timedelta(days=1), MONTH)
    assert [format_age(age) for age in ages] == [
        "less than an hour",
        "1 hour",
        "3 hours",
        "1 day",
        "30 days",
    ]
