"""Numbers in words: read in changes, and held to sources in answers like figures."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.record_views import CHAT, dossier, evidence, record_view
from whence.chat.citing.citations import evidence_source
from whence.chat.citing.grounding import Grounded, Grounding
from whence.chat.citing.sources import SourceBook
from whence.chat.language.fields import changes_in
from whence.chat.language.figures import figures, numbers_of
from whence.chat.language.number_words import in_digits, numbers_in_words


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("twenty", [20]),
        ("Twenty-five dollars", [25]),
        ("forty five", [45]),
        ("two hundred", [200]),
        ("a hundred and fifty", [150]),
        ("twelve hundred", [1200]),
        ("one thousand two hundred and five", [1205]),
        ("one million, two hundred thousand and three", [1_200_003]),
        ("a dozen", [12]),
        ("twenty twenty-six", [2026]),
        ("seven and eight", [7, 8]),
        ("ten to twelve", [10, 12]),
        ("someone threefold a two-way tennis", []),
        ("", []),
    ],
)
def test_a_number_in_words_is_read(words: str, numbers: list[int]) -> None:
    assert [each.readings for each in numbers_in_words(words)] == [
        (Fraction(one),) for one in numbers
    ]


def test_what_is_said_in_two_ways_has_two_readings_and_stays_as_it_is() -> None:
    [result] = numbers_in_words("two fifty")
    assert result.readings == (Fraction(250), Fraction(5, 2))
    assert in_digits("two fifty or two hundred, this one") == "two fifty or 200, this one"


@pytest.mark.parametrize("words", ["this one", "no one", "one of them"])
def test_one_alone_is_no_figure(words: str) -> None:
    assert figures(words) == []
    assert in_digits(words) == words


@given(st.text(alphabet="aenrtwoyfuixhdslm -", max_size=60))
def test_any_letters_are_read_without_trouble(text: str) -> None:
    assert all(text[each.start : each.end] == each.text for each in numbers_in_words(text))
    numbers_of(text)


def grounded(text: str) -> Grounded:
    """An answer that cites evidence with `Sold for 40.00 USD` by `{}`."""
    book = SourceBook()
    view = record_view(dossier(), evidence(1))
    mark = book.add("evidence", evidence_source(view.evidence[0]))
    grounding = Grounding(book)
    grounding.feed(text.format(mark))
    grounding.end()
    return grounding.result()


def test_a_figure_in_words_that_no_source_has_is_found() -> None:
    assert grounded("It sold for fifty dollars {}.").unsupported == ("fifty",)
    assert grounded("It sold for two hundred and ten USD {}.").unsupported == (
        "two hundred and ten",
    )


def test_a_figure_in_words_that_its_source_has_in_digits_is_supported() -> None:
    result = grounded("It sold for forty dollars {}.")
    assert result.unsupported == result.uncited == ()


def test_figures_in_words_and_in_digits_stand_in_their_order() -> None:
    result = figures("12 of thirty cost 40 dollars, about twenty percent")
    assert [each.text for each in result] == ["12", "thirty", "40", "twenty"]
    assert result[-1].about
    assert Fraction(1, 5) in {number for number, _ in result[-1].readings}


def test_a_sentence_with_a_figure_in_words_needs_a_source() -> None:
    assert grounded("It sells for forty dollars. Nice {}.").uncited == (
        "It sells for forty dollars.",
    )


def test_a_number_in_words_is_a_value_and_a_title_keeps_its_words() -> None:
    changes = changes_in("set the price to ninety and the quantity to twelve", CHAT, record_view())
    assert [each.value for each in changes] == [90, 12]
    [change] = changes_in("set the title to Two lamps", CHAT, record_view())
    assert change.value == "Two lamps"
