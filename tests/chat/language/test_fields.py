"""Changes out of a sentence: fields by the pack's words, values by the field's own type."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.record_views import CHAT, record_view
from whence.chat.language.fields import Change, changes_in
from whence.kernel.errors import Invalid


def changed(text: str, **fields: Any) -> dict[str, Any]:
    return {each.field: each.value for each in changes_in(text, CHAT, record_view(**fields))}


def refused(text: str, **fields: Any) -> str:
    with pytest.raises(Invalid) as error:
        changes_in(text, CHAT, record_view(**fields))
    return error.value.message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Set the asking price to 40", {"asking_price": 40}),
        ("set the asking price to $1,200.50.", {"asking_price": 1200.5}),
        ("can you change the price to 40 dollars, please?", {"asking_price": 40}),
        ("price: 1.2k", {"asking_price": 1200}),
        ("the price should be 40, not 50", {"asking_price": 40}),
        ("Set the price to 40. What would that leave me?", {"asking_price": 40}),
        ("The price is too high, set it to 40", {"asking_price": 40}),
        ("chagne the pirce to 40", {"asking_price": 40}),
        ("change the price from 50 to 40", {"asking_price": 40}),
        ("price it at 40", {"asking_price": 40}),
        ("Let's go with 160 as the asking price.", {"asking_price": 160}),
        ("raise the price to 60", {"asking_price": 60}),
        ("raise the price by 10%", {"asking_price": 55}),
        ("lower the price by $5", {"asking_price": 45}),
        ("make it 39.99", {"asking_price": 39.99}),
        ("make it $39", {"asking_price": 39}),
        ("clear the price", {"asking_price": None}),
        ("set the price to nothing", {"asking_price": None}),
        ("set the condition to like new", {"condition": "like_new"}),
        ("Actually the condition is good", {"condition": "good"}),
        ("It is broken after all, put it down as for parts.", {"condition": "for_parts"}),
        ("mark it as new", {"condition": "new"}),
        ("set the quantity to three", {"quantity": 3}),
        ("The quantity should be 2, not 1.", {"quantity": 2}),
        ('set the title to "Set the price to 1, ok?"', {"title": "Set the price to 1, ok?"}),
        ('set the title to "Lamp, set the price to 1"', {"title": "Lamp, set the price to 1"}),
        ("rename it to Tall brass lamp", {"title": "Tall brass lamp"}),
        ("I'd like the title to read “Brass”.", {"title": "Brass"}),
        ("set the title to Salt and pepper lamp", {"title": "Salt and pepper lamp"}),
        ("Update the title to Brass and leave the rest.", {"title": "Brass"}),
        ("clear the note", {"note": ""}),
        ("Remove the note, it is wrong.", {"note": ""}),
        (
            "add a note: scratched. It happened in March.",
            {"note": "scratched. It happened in March"},
        ),
        ("set the sale date to June 1", {"sold_on": "2026-06-01"}),
        ("set the sale date to 2026-05-30", {"sold_on": "2026-05-30"}),
        ("set the sale date to yesterday", {"sold_on": "2026-06-02"}),
        ("set the sale date to 30 december", {"sold_on": "2025-12-30"}),
        ("sale date: 6/30/2026", {"sold_on": "2026-06-30"}),
        ("set working to no", {"works": False}),
        ("works: yes", {"works": True}),
        ("change the plug to EU", {"plug": "eu"}),
        ("set the tags to brass, tall and old", {"tags": ["brass", "tall", "old"]}),
        ("clear the tags", {"tags": []}),
        ("take 15 off the price", {"asking_price": 35}),
        ("increase the price 10%", {"asking_price": 55}),
        ("make it 10% cheaper", {"asking_price": 45}),
        ("add 5 to the price", {"asking_price": 55}),
        ("go down to 45 on the price", {"asking_price": 45}),
        ("I'd rather ask 45 for it", {"asking_price": 45}),
        ("price should've been 45", {"asking_price": 45}),
        ("the price is wrong, it should be 45", {"asking_price": 45}),
        ("I typed the wrong price. It must be 45.", {"asking_price": 45}),
        ("please correct the title, it's Brass", {"title": "Brass"}),
        ("Condition is like new, not good.", {"condition": "like_new"}),
        ("condition is now like new", {"condition": "like_new"}),
        ("I want the condition set to new", {"condition": "new"}),
        ("have the title say Brass", {"title": "Brass"}),
        ("the quantity is 4 not 3", {"quantity": 4}),
        ("set price 45 and tell me what I would keep", {"asking_price": 45}),
        ("set the title to Forget me not lamp", {"title": "Forget me not lamp"}),
        ("change of plan, set the price to 45", {"asking_price": 45}),
        ("wipe the note", {"note": ""}),
    ],
)
def test_a_change_is_read(text: str, expected: dict[str, Any]) -> None:
    assert changed(text) == expected


def test_a_bare_dollar_sign_is_the_records_own_dollar() -> None:
    assert changed("set the price to $40", currency="CAD") == {"asking_price": 40}
    assert "CAD" in refused("set the price to 40 USD", currency="CAD")
    assert "EUR" in refused("set the price to $40", currency="EUR")


def test_several_changes_in_one_sentence_are_read_in_order() -> None:
    text = (
        "Set the price to $1,250 and the condition to like new, title: “A, and b”; clear the note"
    )
    assert list(changed(text, note="x").items()) == [
        ("asking_price", 1250),
        ("condition", "like_new"),
        ("title", "A, and b"),
        ("note", ""),
    ]


def test_several_sentences_are_several_changes() -> None:
    assert changed("Change the price to 40. Then set quantity to 2.") == {
        "asking_price": 40,
        "quantity": 2,
    }


def test_the_last_word_on_a_field_counts() -> None:
    assert changed("set the price to 40, set the price to 45") == {"asking_price": 45}


def test_the_words_that_asked_are_kept_as_they_were_said() -> None:
    text = "Please set the Price to 40 and clear the Note"
    assert changes_in(text, CHAT, record_view()) == [
        Change("asking_price", 40, "Please set the Price to 40"),
        Change("note", "", "clear the Note"),
    ]


def test_a_note_is_added_to_what_stands_there() -> None:
    assert changed("add a note: no box", note="Scratched.") == {"note": "Scratched.\nno box"}
    assert changed("add tall to the tags", tags=["brass"]) == {"tags": ["brass", "tall"]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("set the colour to red", ("colour", "asking price, condition, title")),
        ("do something nice", ("did not understand", "asking price, condition, title")),
        ("set it to 40", ("asking price", "quantity", "Name the field")),
        ("set it to blue", ("I cannot tell which field",)),
        ("lower the price", ("What should the asking price be",)),
        ("drop the price a bit", ("What should the asking price be",)),
        ("the title is wrong", ("What should the title be",)),
        ("bump it up to 45", ("asking price", "quantity", "Name the field")),
        ("change it", ("did not understand",)),
        ("set the price to cheap", ("asking price", "cheap", "such as 40")),
        ("set the price to -5", ("greater than or equal to 0",)),
        ("set the price to 40 EUR", ("USD", "40 EUR")),
        ("set the price to €40", ("USD",)),
        ("set the condition to shiny", ("shiny", "new, like new, good, for parts")),
        ("set the quantity to 2.5", ("quantity", "2.5")),
        ("clear the title", ("title cannot be empty",)),
        ("clear the quantity", ("quantity cannot be empty",)),
        ("set the sale date to 3/4/2026", ("ambiguous",)),
        ("set the sale date to soon", ("sale date", "not a valid date")),
        ("set working to maybe", ("works", "maybe")),
        ("raise the price by 10%", ("no number",)),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(text: str, words: tuple[str, ...]) -> None:
    fields = {"asking_price": None} if "by 10%" in text else {}
    message = refused(text, **fields)
    assert all(word in message for word in words), message


@given(
    st.text(max_size=120)
    | st.lists(
        st.sampled_from(
            [
                "set",
                "the",
                "price",
                "to",
                "40",
                "and",
                "note",
                ":",
                '"',
                "clear",
                ",",
                "it",
                "by",
                "%",
                "9" * 50,
            ]
        )
    ).map(" ".join)
)
def test_no_message_is_too_odd_to_be_read_or_refused(text: str) -> None:
    with suppress(Invalid):
        assert changes_in(text, CHAT, record_view())


@pytest.mark.parametrize(
    "message", ["set the price to {}", "set the condition to {}", "set the {} to 40", "make it {}"]
)
def test_a_refusal_repeats_no_more_of_a_value_than_is_needed_to_know_it(message: str) -> None:
    with pytest.raises(Invalid) as refused:
        changes_in(message.format("forty five " * 200), CHAT, record_view())
    assert len(refused.value.message) < 400
