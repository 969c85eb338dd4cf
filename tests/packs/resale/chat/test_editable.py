"""Values as people write them, read as the record has them, or refused in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest

from whence.chat.language.fields import changes_in
from whence.packs.resale import items
from whence.packs.resale.chat.editable import EDITABLE
from whence.packs.resale.chat.offer import CHAT
from whence.packs.resale.records import Item
from whence.sdk.chat import RecordView
from whence.sdk.errors import Invalid
from whence.sdk.values import now

by_field = {each.field: each for each in EDITABLE}


def read(field: str, words: str, currency: str = "USD") -> Any:
    reader = by_field[field].read
    assert reader is not None
    return reader(words, view_in(currency))


def view_in(currency: str, price: float = 55.0) -> RecordView:
    record = Item(title="Kettle", default_price=price, currency=currency)
    shown = record.model_dump(mode="json", by_alias=True)
    ident = UUID(int=7)
    return RecordView(
        items.ITEMS, ident, 1, record, shown, None, [], [], changed_since=False, at=now()
    )


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


@pytest.mark.parametrize(
    ("words", "currency"),
    [
        ("$40", "EUR"),
        ("40 dollars", "EUR"),
        ("40 bucks", "GBP"),
        ("€40", "USD"),
        ("40 euros", "GBP"),
        ("40 pounds", "EUR"),
        ("40 USD", "CAD"),
        ("US$40", "CAD"),
        ("40 CAD", "USD"),
    ],
)
def test_an_amount_in_another_currency_is_refused_and_not_converted(
    words: str, currency: str
) -> None:
    with pytest.raises(Invalid, match=f"The item's currency is {currency}"):
        read("default_price", words, currency)


@pytest.mark.parametrize(
    ("words", "currency"),
    [("$40", "CAD"), ("40 dollars", "AUD"), ("€40", "EUR"), ("40 quid", "GBP"), ("40", "EUR")],
)
def test_an_amount_in_the_items_currency_is_read(words: str, currency: str) -> None:
    assert read("default_price", words, currency) == 40.0


@pytest.mark.parametrize(
    "text",
    [
        "set the price to €40 and the currency to EUR",
        "set the currency to EUR and the price to €40",
        "set the currency to EUR and the price to forty euros",
    ],
)
def test_a_price_is_read_by_the_currency_that_the_same_message_sets(text: str) -> None:
    result = {each.field: each.value for each in changes_in(text, CHAT, view_in("USD"))}
    assert result == {"default_price": 40.0, "currency": "EUR"}


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("set the price to two hundred", 200.0),
        ("make it a hundred and fifty dollars", 150.0),
        ("lower the price by ten percent", 49.5),
        ("take five off the price", 50.0),
        ("price: twelve hundred", 1200.0),
        ("set the price to two fifty", None),
        ("set the price to twenty euros", None),
    ],
)
def test_an_amount_in_words_is_read_or_asked_back(text: str, price: float | None) -> None:
    if price is None:
        with pytest.raises(Invalid):
            changes_in(text, CHAT, view_in("USD"))
    else:
        [change] = changes_in(text, CHAT, view_in("USD"))
        assert (change.field, change.value) == ("default_price", price)


def test_every_editable_field_is_one_of_the_record() -> None:
    assert by_field.keys() <= Item.model_fields.keys()
    words = [word for each in EDITABLE for word in each.words]
    assert len(words) == len(set(words))


@pytest.mark.parametrize("field", ["price", "condition", "status", "quantity", "barcode"])
def test_a_refusal_repeats_no_more_of_a_value_than_is_needed_to_know_it(
    looks: Mapping[str, RecordView], field: str
) -> None:
    with pytest.raises(Invalid) as refused:
        changes_in(f"set the {field} to {'forty five ' * 200}", CHAT, looks["HP-001"])
    assert len(refused.value.message) < 400
