"""Wishes without an imperative: in the passive, as a need, as a noun, in two sentences."""

from __future__ import annotations

from typing import Any

import pytest

from chat.record_views import CHAT, record_view
from whence.chat.language.fields import changes_in
from whence.chat.language.intents import Intent, intent_of
from whence.kernel.errors import Invalid

CHANGES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("the price should be lowered to 40", {"asking_price": 40}),
    ("condition needs to be changed to like new", {"condition": "like_new"}),
    ("Condition has to be marked as good, the hinge is fine.", {"condition": "good"}),
    ("Price ought to come down to 35", {"asking_price": 35}),
    ("The price needs to come down by 10%", {"asking_price": 45}),
    ("The quantity has to go up by 2", {"quantity": 3}),
    ("Could the quantity be bumped to 3?", {"quantity": 3}),
    ("The note should be removed", {"note": ""}),
    ("this should be listed as for parts", {"condition": "for_parts"}),
    ("Titel must be replaced with: Tall lamp", {"title": "Tall lamp"}),
    ("lets go 120 on the price", {"asking_price": 120}),
    ('title is missing the size, add "Size 10" to the end of it', {"title": "Brass lamp Size 10"}),
    ("the title is missing, put Tall lamp", {"title": "Tall lamp"}),
    ("wrong title! should be Tall lamp", {"title": "Tall lamp"}),
    ("the price got typed in wrong, it's 36", {"asking_price": 36}),
    ("my bad, it's 3 not 2 for the quantity", {"quantity": 3}),
    ("update the title so that it reads Tall lamp", {"title": "Tall lamp"}),
    ("please take the note out", {"note": ""}),
    ("ditch the note", {"note": ""}),
    ("we have 2 of these so quantity 2", {"quantity": 2}),
    ("Can you put title: Tall lamp on this one please", {"title": "Tall lamp"}),
    ("would you be so kind to change the condition to new", {"condition": "new"}),
)
RESEARCH = (
    "fresh prices please",
    "another look at the market?",
    "new comps?",
    "updated comps when you get a chance",
    "one more pass over ebay?",
    "any chance of newer comps?",
    "a second opinion please",
    "how about a refresh",
    "I could use newer numbers",
    "Can we have this looked at again",
    "Could this be gone over again with the new model?",
    "it should be researched again",
    "this needs re-checking",
    "this needs a new valuation",
    "That data is stale. Please pull it again.",
    "please assess it again, the title was wrong",
    "re do the reserch please",
    "it was never researched, can you start",
    "give this another whirl",
    "it's time we had another look",
    "go back to the market and see what changed",
    "see if there's anything new out there",
    "It's been two months, so a fresh look would be welcome.",
    "We changed the condition, hence please re-run your investigation.",
)
QUESTIONS = (
    "why should the price be lowered to 40",
    "who said the price should be lowered to 40?",
    "does the condition need to be changed to good?",
    "would the price need to come down to 35 to sell?",
    "what needs correcting?",
    "does this need to be looked at again?",
    "when was it looked at again",
    "should it be researched again",
    "can it be sold again",
    "more comps?",
    "any new comps?",
    "latest price?",
    "second hand market?",
    "the price was lowered to 40 last week, did it help?",
    "it should be listed where?",
    "could you go over the condition with me once more",
    "can you tell me about the price again",
    "do 40 people want it?",
)
NEITHER = (
    "the strap needs replacing",
    "it needs a new strap",
    "the hinge needs to be fixed",
    "this should sell quickly",
    "it has to be sold by friday",
    "fresh paint on the back",
    "one more question",
    "new listings look cheaper than mine",
)


@pytest.mark.parametrize(("text", "expected"), CHANGES)
def test_a_change_is_read_however_it_is_asked(text: str, expected: dict[str, Any]) -> None:
    assert intent_of(text, CHAT) is Intent.ACTION
    record = record_view(quantity=1, note="old")
    assert {each.field: each.value for each in changes_in(text, CHAT, record)} == expected


@pytest.mark.parametrize("text", RESEARCH)
def test_another_look_is_wanted_however_it_is_asked(text: str) -> None:
    assert intent_of(text, CHAT) is Intent.RESEARCH


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_question_about_a_change_or_a_search_starts_nothing(text: str) -> None:
    assert intent_of(text, CHAT) is Intent.QUESTION


@pytest.mark.parametrize("text", NEITHER)
def test_what_is_said_of_the_thing_itself_starts_nothing(text: str) -> None:
    assert intent_of(text, CHAT) in {Intent.UNKNOWN, Intent.QUESTION}


def test_a_remark_about_a_field_is_no_value_for_it() -> None:
    changes = changes_in("The title is too long. Set the price to 40.", CHAT, record_view())
    assert [(each.field, each.value) for each in changes] == [("asking_price", 40)]


def test_of_a_name_only_what_it_is_no_longer_is_left_out() -> None:
    [change] = changes_in(
        "title should've been K2-90 not K2-80", CHAT, record_view(title="Lamp K2-80")
    )
    assert change.value == "K2-90"
    [change] = changes_in("title should be Forget me not lamp", CHAT, record_view())
    assert change.value == "Forget me not lamp"


def test_one_of_two_values_is_never_guessed() -> None:
    with pytest.raises(Invalid):
        changes_in("the price should be set to 40, or 45", CHAT, record_view())
