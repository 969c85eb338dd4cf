"""Counts and rankings on the list of items: computed, or refused, never another figure."""

from __future__ import annotations

import pytest

from whence.chat.citing.sources import SourceBook
from whence.chat.pages.composing import compose_on_page
from whence.packs.resale.pages.items import ITEMS_PAGE
from whence.packs.resale.pages.questions import ListedItem, ListedItems
from whence.sdk.pages import PageEntry, PageView

ITEMS = (
    ListedItem("Sony WH-1000 headphones", "Sony", 180.0, "USD"),
    ListedItem("Headphones, black", "Sony", 90.0, "USD"),
    ListedItem("Aurelia headphone", None, 240.0, "USD"),
    ListedItem("Brass lamp", None, None, "USD"),
)


def answer(question: str, *, complete: bool = True, items: tuple[ListedItem, ...] = ITEMS) -> str:
    entries = [PageEntry("all", "Items in all", "There are 4 items.")]
    view = PageView(entries, data=ListedItems(items, complete=complete))
    return compose_on_page(ITEMS_PAGE, view, question, SourceBook()).split(" [source")[0]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "How many sony headphones?",
            (
                "2 items have “sony headphones” in title or brand: “Sony WH-1000 headphones”, "
                "“Headphones, black”"
            ),
        ),
        (
            "how many lamps do I have",
            "1 item has “lamps” in title or brand: “Brass lamp”",
        ),
        ("How many bicycles are there?", "No items have “bicycles” in title or brand"),
        (
            "Which item has the highest asking price?",
            (
                "By asking price, the highest: “Aurelia headphone” (240.00 USD), “Sony WH-1000 "
                "headphones” (180.00 USD), “Headphones, black” (90.00 USD)"
            ),
        ),
        (
            "what is the cheapest one",
            (
                "By asking price, the lowest: “Headphones, black” (90.00 USD), “Sony WH-1000 "
                "headphones” (180.00 USD), “Aurelia headphone” (240.00 USD)"
            ),
        ),
    ],
)
def test_a_count_and_a_ranking_are_computed_for_the_question(question: str, expected: str) -> None:
    assert answer(question) == expected


def test_a_ranking_that_the_page_cannot_make_is_refused() -> None:
    assert answer("Which item is worth the most?").startswith(
        "I cannot rank the items by that here"
    )
    euro = ListedItem("Lampe", None, 20.0, "EUR")
    assert "several currencies" in answer("which is the cheapest?", items=(*ITEMS, euro))


def test_where_not_all_items_are_loaded_nothing_is_counted() -> None:
    assert answer("How many sony headphones?", complete=False).startswith("There are too many")


def test_the_number_of_all_items_is_told_as_before() -> None:
    assert answer("How many items are there?") == "There are 4 items"
