"""Counts and rankings on the list of items: computed, or refused, never another figure."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from whence.chat.citing.sources import SourceBook
from whence.chat.pages.composing import compose_on_page, refuse_on_page
from whence.packs.resale.pack import FOLDER
from whence.packs.resale.pages.filters import ListedItem
from whence.packs.resale.pages.items import ITEMS_PAGE, load
from whence.packs.resale.pages.questions import ListedItems
from whence.packs.resale.records import LifecycleStatus
from whence.sdk.pages import PageEntry, PageIds, PageView
from whence.sdk.values import now

DRAFT, LISTED, SOLD = LifecycleStatus.DRAFT, LifecycleStatus.LISTED, LifecycleStatus.SOLD


SAMPLE = FOLDER / "sample"


def day(number: int) -> datetime:
    return datetime(2026, 11, number, tzinfo=UTC)


ITEMS = (
    ListedItem("Sony WH-1000 headphones", "Sony", 180.0, "USD", LISTED, day(3)),
    ListedItem("Headphones, black", "Sony", 90.0, "USD", SOLD, day(2)),
    ListedItem("Aurelia headphone", None, 240.0, "USD", LISTED, day(5)),
    ListedItem("Brass lamp", None, None, "USD", DRAFT, day(4)),
)
OTHER = "There are 4 items"
"""A figure of the page that answers none of the questions about some of the items."""


def answer(question: str, *, complete: bool = True, items: tuple[ListedItem, ...] = ITEMS) -> str:
    entries = [
        PageEntry("all", "Items in all", "There are 4 items."),
        PageEntry("value", "Asking prices of the items", "In all is asked: 510.00 USD."),
        PageEntry("states", "Items by lifecycle status", "By lifecycle status the items are: …"),
    ]
    view = PageView(entries, data=ListedItems(items, complete=complete))
    return compose_on_page(ITEMS_PAGE, view, question, SourceBook()).split(" [source")[0]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "How many sony headphones?",
            (
                "There are 2 items with “sony headphones” in title or brand: “Sony WH-1000 "
                "headphones”, “Headphones, black”"
            ),
        ),
        (
            "how many lamps do I have",
            "There is 1 item with “lamps” in title or brand: “Brass lamp”",
        ),
        (
            "How many bicycles are there?",
            "There are no items with “bicycles” in title or brand",
        ),
        (
            "how many sony headphones are sold?",
            (
                "There is 1 item with “sony headphones” in title or brand, with the status sold: "
                "“Headphones, black”"
            ),
        ),
        (
            "How many items are over $150?",
            "There are 2 items from 150.00: “Sony WH-1000 headphones”, “Aurelia headphone”",
        ),
        (
            "how many items have no asking price",
            "There is 1 item without an asking price: “Brass lamp”",
        ),
        (
            "average asking price",
            "The average asking price is 170.00 USD (3 with a price, median 180.00 USD)",
        ),
        (
            "What's the average price of my Sony items?",
            (
                "The average asking price of the items with “Sony” in title or brand is 135.00 USD "
                "(2 with a price, median 135.00 USD)"
            ),
        ),
        (
            "newest listings",
            (
                "The items that were added last: “Aurelia headphone” (2026-11-05), “Brass lamp” "
                "(2026-11-04), “Sony WH-1000 headphones” (2026-11-03), “Headphones, black” "
                "(2026-11-02)"
            ),
        ),
        (
            "which listed item is the oldest?",
            (
                "The items with the status listed that were added first: “Sony WH-1000 headphones” "
                "(2026-11-03), “Aurelia headphone” (2026-11-05)"
            ),
        ),
        (
            "Which item has the highest asking price?",
            (
                "By asking price, the highest: “Aurelia headphone” (240.00 USD), “Sony WH-1000 "
                "headphones” (180.00 USD), “Headphones, black” (90.00 USD); 1 item has no "
                "asking price"
            ),
        ),
        (
            "what is the cheapest one",
            (
                "By asking price, the lowest: “Headphones, black” (90.00 USD), “Sony WH-1000 "
                "headphones” (180.00 USD), “Aurelia headphone” (240.00 USD); 1 item has no asking "
                "price"
            ),
        ),
    ],
)
def test_a_count_and_a_ranking_are_computed_for_the_question(question: str, expected: str) -> None:
    assert answer(question) == expected


def test_a_ranking_that_the_page_cannot_make_is_refused() -> None:
    assert answer("Which item sells best?").startswith("I cannot rank the items by that here")
    euro = ListedItem("Lampe", None, 20.0, "EUR")
    assert "several currencies" in answer("which is the cheapest?", items=(*ITEMS, euro))


@pytest.mark.parametrize(
    "question",
    [
        "How many did I sell last month?",
        "what is my average profit?",
        "average days until a sale",
        "how many items were added since Monday",
        "What is my revenue this year?",
        "total price per brand",
        "Which item sells best?",
        "how many items need a new photo",
    ],
)
def test_what_the_page_cannot_compute_is_refused_and_no_other_figure_given(question: str) -> None:
    text = answer(question)
    assert OTHER not in text
    assert "In all is asked" not in text
    assert text.startswith(
        (
            "Without a language model I cannot answer that on the page “Items”.",
            "This page shows nothing about",
            "I cannot rank",
            "I can average the asking prices",
        )
    )


def test_where_not_all_items_are_loaded_nothing_is_counted() -> None:
    assert answer("How many sony headphones?", complete=False).startswith("There are too many")


def test_the_number_of_all_items_is_told_as_before() -> None:
    assert answer("How many items are there?") == "There are 4 items"


WORTH = tuple(
    replace(item, worth=worth, worth_currency="USD" if worth else None)
    for item, worth in zip(ITEMS, (150.0, 300.0, None, 45.0), strict=True)
)
LAMP = replace(ITEMS[3], title="Copper lamp", worth=60.0, worth_currency="USD")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Which item is worth the most?",
            (
                "Of the items that are not sold or archived, the highest by the target price of "
                "research: “Sony WH-1000 headphones” (150.00 USD), “Copper lamp” (60.00 USD), "
                "“Brass lamp” (45.00 USD); 1 item has no price from research yet"
            ),
        ),
        (
            "what's my least valuable item",
            (
                "Of the items that are not sold or archived, the lowest by the target price of "
                "research: “Brass lamp” (45.00 USD), “Copper lamp” (60.00 USD), “Sony WH-1000 "
                "headphones” (150.00 USD); 1 item has no price from research yet"
            ),
        ),
        (
            "what should I list first",
            (
                "Of the items that are not listed, sold or archived, the highest by the target "
                "price of research: “Copper lamp” (60.00 USD), “Brass lamp” (45.00 USD)"
            ),
        ),
    ],
)
def test_what_items_are_worth_is_ranked_by_their_current_research(
    question: str, expected: str
) -> None:
    assert answer(question, items=(*WORTH, LAMP)) == expected


def test_a_worth_that_research_does_not_know_is_refused_with_the_reason() -> None:
    assert answer("Which item is worth the most?").startswith("No item has a price from research")
    euro = replace(LAMP, worth_currency="EUR")
    assert "several currencies" in answer("most valuable item?", items=(*WORTH, euro))
    for question in ("what should I sell first to make the most profit", "which sells fastest?"):
        assert "150.00" not in answer(question, items=WORTH)
    assert answer("Which item is worth the most?", complete=False).startswith("There are too many")


@pytest.mark.anyio
async def test_the_ranking_reads_the_supported_target_of_the_current_dossier(desk: Any) -> None:
    await desk.imported("listings", SAMPLE / "listings.csv")
    item = await desk.item(
        title="Aurelia QuietBand 700 wireless noise cancelling headphones, black",
        brand="Aurelia",
        model="QuietBand 700",
        condition="good",
    )
    await desk.item(title="Brass lamp", default_price=900)
    researched = await desk.research(item)
    target = researched.body["price"]["target"]["amount"]

    async with desk.platform.unit(desk.platform.owner) as session:
        view = await load(session, desk.platform.owner, PageIds(), now())
    book = SourceBook()
    text = compose_on_page(ITEMS_PAGE, view, "Which item is worth the most?", book)

    assert f"headphones, black” ({target:,.2f} USD)" in text
    assert "1 item has no price from research yet" in text
    assert "[source" in text


@pytest.mark.parametrize(
    "question", ["total value of my stock?", "what is my stock worth", "how much is it all worth"]
)
def test_the_stock_is_worth_its_researched_targets_and_asking_prices_for_the_rest(
    question: str,
) -> None:
    researched = replace(ITEMS[0], worth=150.0, worth_currency="USD", quantity=2)
    text = answer(question, items=(researched, *ITEMS[1:]))
    assert text.startswith(
        "The stock is worth 540.00 USD: 300.00 USD by the researched target of 1 item, 240.00 USD "
        "by the asking price of 1 item without a researched price; 1 item without either; sold and "
        "archived items are left out, quantities counted in"
    )


def test_what_cannot_be_done_on_the_list_is_told_first_and_briefly() -> None:
    text = refuse_on_page(ITEMS_PAGE, "delete the second walkman", "do")
    assert text.startswith("Without a language model I cannot do that on the page “Items”.")
    assert text.count("\n- ") == 3
    assert refuse_on_page(ITEMS_PAGE, "help", "do").count("\n- ") == len(ITEMS_PAGE.topics)
