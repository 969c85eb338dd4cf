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


def test_a_pronoun_is_no_text() -> None:
    reading = read("it doesnt have the box anymore, note that")
    assert not reading.changes
    assert "What should the description be?" in str(reading.refusal)


def test_put_that_insists_on_the_amount_before_it() -> None:
    assert changes_of("i'd take 135 for it, put that") == {"default_price": 135.0}
