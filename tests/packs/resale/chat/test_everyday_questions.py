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
        ("is there a tripod with it", "I cannot know that: the record does not say"),
        ("did the previous owner smoke?", "I cannot know that: the record does not say"),
        ("who owned it before", "I cannot know that: the record does not say"),
        ("has it been repaired before", "I cannot know that: the record does not say"),
        ("how many owners did it have", "I cannot know that: the record does not say"),
        ("what should I list it at to sell this week", "For a quick sale ask the floor, "),
        ("I need it gone by friday, what should i ask", "For a quick sale ask the floor, "),
        ("lowest price for a quick sale?", "For a quick sale ask the floor, "),
        ("how fast will it sell", "Time to sell: "),
        ("what should I list it at", "The target price is "),
        ("which item is worth the most", "This conversation is about “Aurelia QuietBand 700"),
        ("what is my whole stock worth", "This conversation is about “Aurelia QuietBand 700"),
        ("which of my items sells fastest", "This conversation is about “Aurelia QuietBand 700"),
        ("why is demand low", "Whether that is low or high I cannot say: I know no yardstick"),
        ("is 145 obo too greedy", "No, that price is within the range, below the target ["),
        ("is 155 a fair price", "Yes, that price is within the range, above the target ["),
        ("would 300 be too much", "Yes, that price is above the range ["),
        ("is 120 too low", "Yes, that price is below the range ["),
        ("should i take 130", "No, that price is below the range ["),
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
        ("is 120 too low", "Yes, that price is below the range"),
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
    nearest = "“Aurelia QB-700 QuietBand 700 Over-Ear Bluetooth Headphones - Black” at 232"
    assert f"There are:\n\n- {nearest}" in refusal.message


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


def test_a_price_for_a_quick_sale_has_the_target_beside_it_and_promises_no_day(
    view: RecordView,
) -> None:
    text = answer("what should I list it at to sell this week", view)
    assert re.search(r"floor, 137\.80 USD \[\d", text)
    assert re.search(r"target price is 154\.30 USD.* \[\d", text)
    assert "When it sells at the floor cannot be known." in text


def test_what_no_record_holds_is_told_from_the_record_once_it_does(view: RecordView) -> None:
    unknown = answer("did the previous owner smoke?", view)
    assert "What would settle it" in unknown
    record = view.record.model_copy(update={"description": "The previous owner did not smoke."})
    shown = record.model_dump(mode="json", by_alias=True)
    stated = answer("did the previous owner smoke?", replace(view, record=record, shown=shown))
    assert stated.startswith("The description says “The previous owner did not smoke” [1].")


def test_sentences_that_are_joined_go_on_with_a_small_letter(view: RecordView) -> None:
    assert not re.search(r"; (?:In|From|The|It) ", answer("why is demand low", view))


def test_an_exclusion_that_names_no_listing_names_the_evident_one(view: RecordView) -> None:
    refusal = understand("exclude the pack of 2", CHAT, view).refusal
    assert refusal is not None
    lines = refusal.message.splitlines()
    assert "which is left out already:" in lines[0]
    assert "- “Lot of 3 Aurelia QuietBand 700 headphones black” at 429.00 USD" in refusal.message
    assert all(line.startswith("- “") for line in lines[2:]), lines
    already = understand("exclude the white one", CHAT, view).refusal
    assert already is not None
    assert "is left out already:\n\n- “" in already.message


def test_a_proposed_price_carries_its_currency_and_its_place(view: RecordView) -> None:
    [price] = [each for each in CHAT.editable if each.field == "default_price"]
    assert price.preview is not None
    assert price.in_words is not None
    assert price.preview(view, 130.0) == "130.00 USD is below the floor, 137.80 USD."
    assert price.preview(view, 140.0) == ""
    assert price.preview(view, None) == ""
    assert price.preview(replace(view, dossier=None), 1.0) == ""
    assert words_of([{"field": "defaultPrice", "before": None, "after": 130.0}], CHAT, view) == {
        "defaultPrice": {"before": "(empty)", "after": "130.00 USD"}
    }


def test_a_price_and_its_currency_change_together(view: RecordView) -> None:
    changes = [
        {"field": "defaultPrice", "before": 155.0, "after": 130.0},
        {"field": "currency", "before": "USD", "after": "EUR"},
    ]
    assert words_of(changes, CHAT, view)["defaultPrice"] == {
        "before": "155.00 USD",
        "after": "130.00 EUR",
    }
