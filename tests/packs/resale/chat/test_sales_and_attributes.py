"""A sale is noted whoever bought it, and an attribute that is there keeps its name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from whence.chat.language.understanding import understand
from whence.packs.resale.chat.offer import CHAT
from whence.packs.resale.evals.requests import view

ATTRIBUTES = {"Shelf": "B2", "Colour": "black"}


def changes(text: str) -> dict[str, Any]:
    record = view().record.model_copy(update={"attributes": ATTRIBUTES})
    reading = understand(text, CHAT, replace(view(), record=record))
    return {each.field: each.value for each in reading.changes}


@pytest.mark.parametrize(
    "text",
    [
        "mark as sold for 425 to a guy on craigslist",
        "mark it sold to a guy for 425",
        "mark it as sold to my neighbour at 425",
        "mark it sold, 425, a guy from craigslist picked it up",
        "sold it for 425 to my neighbour",
        "mark this sold on ebay to some lady for $425",
    ],
)
def test_a_sale_sets_the_status_and_the_price_whoever_bought_it(text: str) -> None:
    assert changes(text) == {"lifecycle_status": "sold", "default_price": 425}


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("set colour to grey", {"Colour": "grey"}),
        ("set the color to grey", {"Colour": "grey"}),
        ("change COLOUR to dark grey", {"Colour": "dark grey"}),
        ("change shelf to C3", {"Shelf": "C3"}),
        ("move it to shelf C3", {"Shelf": "C3"}),
        ("set the material to oak", {"material": "oak"}),
    ],
)
def test_an_attribute_that_is_there_is_changed_and_not_repeated(
    text: str, attributes: dict[str, str]
) -> None:
    assert changes(text) == {"attributes": {**ATTRIBUTES, **attributes}}


@pytest.mark.parametrize(
    "text", ["put the box it came in as included", "mark this one to my wife", "send it to her"]
)
def test_a_phrase_that_is_no_name_adds_no_attribute(text: str) -> None:
    assert changes(text) == {}
