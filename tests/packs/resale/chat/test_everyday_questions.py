"""Everyday questions are answered from the record or the research, or are told that neither can."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest

from whence.chat.language.intents import Intent
from whence.chat.language.understanding import understand
from whence.chat.turns.change_words import words_of
from whence.packs.resale.chat.offer import CHAT
from whence.sdk.chat import RecordView
from whence.sdk.testing import answer_by_rules

RECORD = {
    "cost": 90.0,
    "shipping_cost": 8.0,
    "default_price": 155.0,
    "description": "Shutter count 12,340. Small scratch on the left. Comes with the charger.",
    "attributes": {"Shelf": "B2", "Colour": "black", "Purchase price": "90"},
}


@pytest.fixture(scope="module")
def view(looks: Mapping[str, RecordView]) -> RecordView:
    record = looks["HP-001"].record.model_copy(update=RECORD)
    shown = record.model_dump(mode="json", by_alias=True)
    return replace(looks["HP-001"], record=record, shown=shown)


def answer(question: str, view: RecordView) -> str:
    assert understand(question, CHAT, view).intent is Intent.QUESTION, question
    reply = answer_by_rules(CHAT, view, question)
    assert (reply.uncited, reply.unsupported) == ((), ()), reply.text
    return reply.text


@pytest.mark.parametrize(
    ("question", "beginning"),
    [
        ("what did I pay for it", "You paid 90.00 USD for it [1]."),
        ("what was my cost on this", "You paid 90.00 USD for it [1]."),
        ("what was it listed at?", "The asking price in the record is 155.00 USD [1]."),
        ("whats my asking price right now", "The asking price in the record is 155.00 USD [1]."),
        ("what does shipping cost me", "Sending it costs you 8.00 USD [1]."),
        ("is it sold yet?", "Its status in the record is draft [1]."),
        ("whats the shutter count", "The description says “Shutter count 12,340” [1]."),
        ("does it come with a charger?", "The description says “Comes with the charger” [1]."),
        ("what shelf is it on", "Shelf: B2 [1]."),
        ("is there a tripod with it", "The record does not say"),
        (
            "is the 162 one sold?",
            "“Aurelia QB-700 black noise cancelling headphones”: sold at 162.00",
        ),
        ("did the one at 148.99 actually sell?", "“Aurelia QuietBand 700 Wireless Noise"),
        ("was the listing at 3 usd real", "The research has no listing at that price"),
        (
            "wich one sold for the most",
            "The most expensive one is “Aurelia QuietBand 700 black”: sold",
        ),
        ("which comp is the cheapest", "The cheapest one is “"),
        ("how many people are selling one right now", "Competition: "),
        ("are you sure?", "The target's confidence is "),
        ("what's my profit if I sell at 400", "At 400.00 USD, "),
        ("profit at 160 on ebay?", "At 160.00 USD, eBay leaves 39.84 USD ("),
        ("will the price go up next month", "I cannot know what prices will do"),
        ("should I wait, will prices drop in january", "I cannot know what prices will do"),
        ("who is going to buy it", "I cannot know who will buy it."),
        ("compare it with the white one", "I cannot know what “white” is worth"),
        ("write me a listing", "Draft of a listing"),
        ("listing text please", "Draft of a listing"),
    ],
)
def test_a_question_is_answered_by_what_it_asks(
    view: RecordView, question: str, beginning: str
) -> None:
    assert answer(question, view).startswith(beginning)


@pytest.mark.parametrize(
    ("question", "beginning"),
    [
        ("what's the highest price I can ask", "The target price is "),
        ("how much would I get for it", "The target price is "),
        ("is 120 too low", "The price in your question is below the range"),
        ("how long will it take to sell", "Time to sell"),
        ("where do I keep the most", "By what is left after fees"),
        ("why is it so cheap", "Its target price is "),
    ],
)
def test_the_general_questions_keep_their_topics(
    view: RecordView, question: str, beginning: str
) -> None:
    assert answer(question, view).startswith(beginning)


def test_proceeds_say_if_the_cost_is_not_known(view: RecordView) -> None:
    record = view.record.model_copy(update={"cost": None})
    shown = {**view.shown, "cost": None}
    text = answer("what do I make at 130", replace(view, record=record, shown=shown))
    assert "What you paid for it is not subtracted: the record does not say it" in text


def test_a_draft_is_for_buyers_and_repeats_nothing(view: RecordView) -> None:
    text = answer("write a listing", view)
    assert "Colour: black" in text
    assert re.findall(r"B2|Shelf|Purchase price", text) == []
    assert text.count("Aurelia [") == 1


def test_a_comparable_is_named_by_its_price_as_people_round_it(view: RecordView) -> None:
    for text in ("ignore the one at 149", "dont count the one at 148.99", "exclude S-046"):
        [change] = understand(text, CHAT, view).changes
        assert change.value == {"library:S-046": "exclude"}, text


def test_listings_to_choose_from_are_told_apart(view: RecordView) -> None:
    refusal = understand("exclude the one at 147.95", CHAT, view).refusal
    assert refusal is not None
    assert "at 147.95 USD on eBay, sold " in refusal.message
    assert "at 147.95 USD on Mercari, sold " in refusal.message
    refusal = understand("dont count the one at 233", CHAT, view).refusal
    assert refusal is not None
    assert (
        "There are: “Aurelia QB-700 QuietBand 700 Over-Ear Bluetooth Headphones - Black” at 232"
        in (refusal.message)
    )


def test_a_proposal_names_the_listing_and_the_attribute_that_change(view: RecordView) -> None:
    key = "library:S-046"
    changes = [
        {"field": "listingChoices", "before": {}, "after": {key: "exclude"}},
        {
            "field": "attributes",
            "before": {"Shelf": "B2", "Colour": "black"},
            "after": {"Shelf": "B2", "Colour": "grey", "Size": "L"},
        },
        {"field": "title", "before": "a", "after": "b"},
    ]
    words = words_of(changes, CHAT, view)
    assert words["listingChoices"]["before"] == "as the research judged them"
    assert words["listingChoices"]["after"].startswith("without “Aurelia QuietBand 700 Wireless")
    assert " at 148.99 USD on eBay, sold " in words["listingChoices"]["after"]
    assert words["attributes"] == {"before": "Colour: black", "after": "Colour: grey; Size: L"}
    assert "title" not in words
