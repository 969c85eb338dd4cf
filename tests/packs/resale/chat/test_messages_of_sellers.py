"""Classes of everyday messages that once led to a wrong edit or to a flat refusal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from whence.chat.language.intents import Intent
from whence.chat.language.understanding import Understanding, understand
from whence.packs.resale.chat.offer import CHAT
from whence.packs.resale.evals.requests import view


def read(text: str) -> Understanding:
    return understand(text, CHAT, view())


def changes_of(text: str) -> dict[str, object]:
    return {each.field: each.value for each in read(text).changes}


def test_up_for_an_amount_is_a_price_and_no_increase() -> None:
    assert changes_of("put it up for 129") == {"default_price": 129.0}


def test_a_tenner_off_is_ten_off() -> None:
    assert changes_of("drop it by a tenner") == {"default_price": 145.0}


def test_cheaper_without_an_amount_is_asked_back() -> None:
    assert "What should the asking price be?" in str(read("make it cheaper").refusal)


@pytest.mark.parametrize("text", ["not selling it anymore", "i'll keep it", "its not for sale"])
def test_what_is_not_sold_any_more_is_archived(text: str) -> None:
    assert changes_of(text) == {"lifecycle_status": "archived"}


def test_a_correction_names_the_old_value_and_the_new_one() -> None:
    looked_at = view()
    attributes = {"Color": "Black", "Size": "M"}
    item = looked_at.record.model_copy(update={"attributes": attributes})
    reading = understand("its not black its silver", CHAT, replace(looked_at, record=item))
    assert [(each.field, each.value) for each in reading.changes] == [
        ("attributes", {**attributes, "Color": "silver"})
    ]


def test_a_question_and_research_beside_a_change_are_not_lost() -> None:
    reading = read("change price to 140 and rerun the research and tell me why demand is low")
    assert {each.field: each.value for each in reading.changes} == {"default_price": 140.0}
    assert reading.researches
    assert reading.asked_beside == "tell me why demand is low"


def test_either_of_two_amounts_is_a_question_about_the_price() -> None:
    assert read("so 120 or 130, which one").intent is Intent.QUESTION


def test_a_bit_is_no_amount_and_is_asked_back() -> None:
    assert "What should the asking price be?" in str(read("can u lower it a bit").refusal)


def test_a_pronoun_is_no_text_but_the_fact_before_it_is() -> None:
    reading = read("it doesnt have the box anymore, note that")
    assert not reading.changes
    assert str(reading.refusal).startswith("Should I add “it doesnt have the box anymore” to")


def test_put_that_insists_on_the_amount_before_it() -> None:
    assert changes_of("i'd take 135 for it, put that") == {"default_price": 135.0}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("the case is missing btw", "the case is missing"),
        ("left ear cup has a crack", "left ear cup has a crack"),
        ("i forgot to say the battery only lasts like 4 hrs now", "lasts like 4 hrs"),
        ("it has 2 scratches", "it has 2 scratches"),
    ],
)
def test_a_fact_that_no_field_holds_is_offered_for_the_description(text: str, fact: str) -> None:
    reading = read(text)
    assert not reading.changes
    assert fact in str(reading.refusal)
    accepted = understand("yes", CHAT, view(), reading.question)
    [change] = accepted.changes
    assert change.field == "description"
    assert fact in change.value


def test_a_fact_beside_a_change_is_not_lost() -> None:
    reading = read("make it 145 and the case is missing")
    assert {each.field: each.value for each in reading.changes} == {"default_price": 145.0}
    assert reading.told_beside == "Should I add “the case is missing” to the description?"
    [added] = understand("yes", CHAT, view(), reading.question).changes
    assert "the case is missing" in added.value


@pytest.mark.parametrize(
    "text", ["that is wrong", "you are too expensive", "the price is too high", "it is not selling"]
)
def test_a_judgement_is_no_fact_about_the_item(text: str) -> None:
    assert "Should I add" not in str(read(text).refusal)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("make it 145 and condition is very good", {"default_price": 145.0, "condition": "good"}),
        ("140 and its only in fair condition tbh", {"default_price": 140.0, "condition": "fair"}),
        ("put 150 on it and it's like new", {"default_price": 150.0, "condition": "like_new"}),
        (
            "pon el precio en 139 y el estado en bueno",
            {"default_price": 139.0, "condition": "good"},
        ),
    ],
)
def test_a_second_value_beside_a_price_is_a_change_too(
    text: str, changes: dict[str, object]
) -> None:
    found = changes_of(text)
    assert {name: found.get(name) for name in changes} == changes


def test_a_name_of_an_attribute_beside_a_price_is_a_change_too() -> None:
    looked_at = view()
    item = looked_at.record.model_copy(update={"attributes": {"Color": "Black"}})
    reading = understand(
        "set it to 149 and the color is midnight blue", CHAT, replace(looked_at, record=item)
    )
    assert {each.field: each.value for each in reading.changes} == {
        "default_price": 149.0,
        "attributes": {"Color": "midnight blue"},
    }


def test_a_corrected_difference_stays_one() -> None:
    first = read("make it 5 bucks cheaper")
    again = understand("actually 10", CHAT, view(), first.question)
    assert [each.value for each in again.changes] == [145.0]


@pytest.mark.parametrize("text", ["someone offered 120 shd i take it", "i got an offer of 120"])
def test_an_offer_by_somebody_is_a_question_about_the_price(text: str) -> None:
    assert read(text).intent is Intent.QUESTION
