"""Values as people write them, read as the record has them, or refused in words."""

from __future__ import annotations

from typing import Any

import pytest

from whence.packs.resale.chat.editable import EDITABLE
from whence.packs.resale.records import Item
from whence.sdk import Invalid

by_field = {each.field: each for each in EDITABLE}


def read(field: str, words: str) -> Any:
    reader = by_field[field].read
    assert reader is not None
    return reader(words)


@pytest.mark.parametrize(
    ("field", "words", "value"),
    [
        ("default_price", "40", 40.0),
        ("default_price", "$1,299.50, please", 1299.5),
        ("default_price", "120 usd", 120.0),
        ("default_price", "45 bucks", 45.0),
        ("default_price", "nothing", None),
        ("condition", "like new", "like_new"),
        ("condition", "Used - Good.", "good"),
        ("condition", "for parts then", "for_parts"),
        ("lifecycle_status", "sold", "sold"),
        ("quantity", "two", 2),
        ("quantity", "12", 12),
        ("gtin", "2007000900017", "02007000900017"),
        ("gtin", "none", None),
        ("brand", "“Aurelia”", "Aurelia"),
        ("currency", "eur", "EUR"),
    ],
)
def test_a_value_is_read_as_the_record_has_it(field: str, words: str, value: Any) -> None:
    assert read(field, words) == value
    Item.model_validate({"title": "A thing", field: value})


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("default_price", "40 or 50"),
        ("default_price", "40 to 50"),
        ("default_price", "-4"),
        ("default_price", "10000000"),
        ("default_price", "1.234"),
        ("default_price", "40 EUR"),
        ("default_price", "cheap"),
        ("default_price", ""),
        ("condition", "wonderful"),
        ("lifecycle_status", "gone"),
        ("quantity", "-1"),
        ("quantity", "a few"),
        ("gtin", "123"),
        ("gtin", "2007000900018"),
        ("currency", "dollars and cents"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(field: str, words: str) -> None:
    with pytest.raises(Invalid) as refused:
        read(field, words)
    assert refused.value.message


def test_every_editable_field_is_one_of_the_record() -> None:
    assert by_field.keys() <= Item.model_fields.keys()
    words = [word for each in EDITABLE for word in each.words]
    assert len(words) == len(set(words))
