"""What the searches of a run covered of a source."""

from __future__ import annotations

from typing import Any

import pytest

from whence.packs.resale.flows.coverage import coverage_of
from whence.packs.resale.flows.state import SourceReport
from whence.packs.resale.pricing.market import Coverage


def report(**fields: Any) -> SourceReport:
    whole: dict[str, Any] = {
        "source": "ebay",
        "offer": "sold",
        "query": "acme",
        "found": 20,
        "refused": [],
        "error": None,
        "limit": 20,
        "total": None,
    }
    return whole | fields  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("pages", "is_full", "total"),
    [
        ([report()], True, None),
        ([report(total=60)], True, 60),
        ([report(total=20)], False, None),
        ([report(found=7)], False, None),
        ([report(found=15, refused=["a", "b", "c", "d", "e"])], True, None),
        ([report(total=600), report(total=60)], True, 60),
        ([report(total=60), report(total=None)], True, None),
        ([report(total=3, found=3), report(total=60)], True, 60),
        ([report(error="away", total=None), report(found=7)], False, None),
    ],
)
def test_a_page_is_full_if_the_source_holds_more_and_the_most_specific_total_counts(
    pages: list[SourceReport], is_full: bool, total: int | None
) -> None:
    assert coverage_of(pages, []) == [Coverage("ebay", "sold", 0, is_full, total)]


def test_only_searches_that_were_answered_count() -> None:
    assert coverage_of([report(error="away")], []) == []
    assert coverage_of([report(offer="lookup")], []) == []
