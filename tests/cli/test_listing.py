"""`whence list`: the same filters, orders and counts as over HTTP."""

from __future__ import annotations

import pytest

from whence.cli.listing import filters_of, query_of
from whence.kernel.errors import Invalid
from whence.packs.resale.items import ITEMS
from whence.records import listing


def _asked(*where: str) -> object:
    return query_of(listing.list_query(ITEMS), filters_of(where))


def test_a_field_takes_several_values_and_a_range_takes_one() -> None:
    request: object = _asked("brand=A", "brand=B", "createdAt.min=2026-01-01")
    assert getattr(request, "brand") == ["A", "B"]  # noqa: B009 (a model made at run time)
    assert str(getattr(request, "created_at__min")).startswith("2026-01-01")  # noqa: B009


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("brand", "FIELD=VALUE"),
        ("sort=brand", "FIELD=VALUE"),
        ("colour=red", "no 'colour'; it has .*brand"),
        ("condition=shiny", "'condition' has a value that cannot be used"),
        ("createdAt.min=tomorrow", "'createdAt.min' has a value that cannot be used"),
    ],
)
def test_a_filter_that_cannot_be_used_says_why(where: str, words: str) -> None:
    with pytest.raises(Invalid, match=words):
        _asked(where)


def test_a_sort_order_that_the_list_lacks_names_those_it_has() -> None:
    with pytest.raises(Invalid, match=r"cannot be sorted by 'price'; .*'-createdAt'"):
        query_of(listing.list_query(ITEMS), {"sort": "price"})
