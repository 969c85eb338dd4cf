"""Answers held to their sources: references, facts without one, figures that stand nowhere."""

from __future__ import annotations

import re
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.chat.citing.grounding import Grounded, Grounding
from whence.chat.citing.sources import Source, SourceBook

SOLD = Source(
    "evidence",
    "KitchenAid KSM150 mixer, sold",
    "Sold for $1,200.00 on 2026-06-03 after 12 days; 35% below the asking price. v2.4.1",
    id=UUID(int=1),
)
CONDITION = Source("record", "Item: condition", "condition: good", path="condition", value="good")
BRAND = Source(
    "claim", "Its brand is KitchenAid.", "", path="identification.brand", value="KitchenAid"
)


def book() -> SourceBook:
    made = SourceBook()
    made.add("evidence", SOLD)
    made.add("record", CONDITION)
    made.add("dossier", BRAND)
    return made


def ground(*pieces: str) -> tuple[str, Grounded]:
    grounding = Grounding(book())
    shown = "".join([*(grounding.feed(piece) for piece in pieces), grounding.end()])
    return shown, grounding.result()


def unsupported(text: str) -> tuple[str, ...]:
    return ground(f"{text} [source:evidence:0].")[1].unsupported


FRAGMENTS = st.sampled_from(
    [
        *("[source:evidence:0]", "[source:record:0]", "[source:evidence:9]", "[source:", " ", "  "),
        *(".", "\n", "(", "http://x)", "[1]", "[", "1", "]", "!", "![", ":", "It is 40", "good"),
    ]
)
TEXTS = st.lists(FRAGMENTS, max_size=14).map("".join)


@given(TEXTS, st.lists(st.integers(min_value=0, max_value=90), max_size=8))
def test_however_an_answer_is_split_the_same_is_shown(text: str, cuts: list[int]) -> None:
    places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    whole, result = ground(text)
    split, again = ground(*(text[a:b] for a, b in pairwise(places)))
    assert split == whole
    assert again == result
    assert result.text == whole.strip()


@given(TEXTS)
def test_every_number_in_brackets_is_a_reference_and_no_image_is_shown(text: str) -> None:
    shown, result = ground(text)
    numbers = {reference.number for reference in result.references}
    assert {int(number) for number in re.findall(r"\[(\d+)\]", shown)} <= numbers
    assert not re.search(r"!\[(?!\d\])", shown)
    assert not re.search(r"\]\(http", re.sub(r"\[\]\(|\[[^\]\d]+\]\(", "", shown))


def test_references_are_numbered_by_first_use_and_keep_their_number() -> None:
    shown, result = ground(
        "Good [source:record:0], sold for 1,200 [source:evidence:0]; good [source:record:0]."
    )
    assert shown == "Good [1], sold for 1,200 [2]; good [1]."
    assert [(each.number, each.source) for each in result.references] == [(1, CONDITION), (2, SOLD)]


def test_the_same_source_by_two_markers_has_one_number() -> None:
    filled = book()
    filled.add("search", Source("evidence", "Another look", "sold", id=SOLD.id))
    grounding = Grounding(filled)
    assert grounding.feed("Sold [source:evidence:0][source:search:0].") == "Sold [1]."


def test_a_marker_that_points_nowhere_is_removed_and_counted() -> None:
    shown, result = ground("It sold [source:evidence:7] . Well [source:nothing:0], yes.")
    assert shown == "It sold. Well, yes."
    assert result.removed == 2


def test_a_marker_that_cannot_be_read_is_counted_too() -> None:
    assert ground("It sold [source:evidence].")[1].removed == 1


def test_a_reference_that_no_marker_made_loses_its_brackets() -> None:
    assert ground("It costs 40 [1] or [2, 3].")[0] == "It costs 40 (1) or (2, 3)."


def test_a_removed_marker_does_not_join_an_imitation() -> None:
    assert ground("It costs 40 [1[source:evidence:9]].")[0] == "It costs 40 (1)."


def test_a_reference_cannot_be_made_a_link() -> None:
    assert ground("[source:evidence:0](http://x)")[0] == "[1] (http://x)"
    assert ground("[source:evidence:0]: http://x")[0] == "[1] : http://x"


def test_a_remote_image_becomes_a_link() -> None:
    assert ground("!", "![", "a](http://x)")[0] == "[a](http://x)"


def test_a_factual_sentence_without_a_reference_is_told() -> None:
    _, result = ground(
        "It sold for $1,200 [source:evidence:0]. It took 12 days. It sold in June 2026. "
        "It is a fine thing. The brand is KitchenAid. Its condition is good."
    )
    assert result.uncited == (
        "It took 12 days.",
        "It sold in June 2026.",
        "The brand is KitchenAid.",
        "Its condition is good.",
    )
    assert result.unsupported == ()


def test_a_common_word_that_is_a_value_elsewhere_is_no_fact() -> None:
    assert ground("That is a good question.")[1].uncited == ()


def test_a_question_states_nothing() -> None:
    assert ground("Shall I set the price to 40?")[1].uncited == ()


def test_a_number_of_a_list_is_no_fact() -> None:
    assert ground("1. Look at it.\n2. Sell it.\n## 3. Rest")[1].uncited == ()


def test_a_reference_after_the_full_stop_belongs_to_its_sentence() -> None:
    assert ground("It sold for 1,200. [source:evidence:0] It was quick.")[1].uncited == ()


def test_a_reference_at_the_beginning_of_a_line_belongs_to_that_line() -> None:
    _, result = ground("It took 12 days.\n[source:evidence:0] It sold for 1,200.")
    assert result.uncited == ("It took 12 days.",)


def test_an_abbreviation_does_not_end_a_sentence() -> None:
    assert (
        ground("It sold for approx. 1,200 e.g. on eBay, no. 12 there [source:evidence:0].")[
            1
        ].uncited
        == ()
    )


@pytest.mark.parametrize(
    "figure",
    ["1200", "$1,200", "1,200.00", "1.2k", "1.2 thousand", "USD 1200", "1'200", "about 1,000"],
)
def test_a_figure_is_compared_as_a_number(figure: str) -> None:
    expected = () if figure != "about 1,000" else ("1,000",)
    assert unsupported(f"It sold for {figure}") == expected


@pytest.mark.parametrize("figure", ["35 %", "35 percent", "0.35 of it", "12-day", "12th", "-12"])
def test_percent_and_units_do_not_matter(figure: str) -> None:
    assert unsupported(f"It was {figure}") == ()


@pytest.mark.parametrize(
    "date",
    ["3 June 2026", "June 3, 2026", "June 3rd", "2026-06-03", "06/03/2026", "June 2026", "2026"],
)
def test_a_date_is_compared_as_a_date(date: str) -> None:
    assert unsupported(f"It sold on {date}") == ()


@pytest.mark.parametrize("date", ["4 June 2026", "3 June 2025", "July 2026", "2026-03-07", "2027"])
def test_a_date_that_stands_in_no_cited_source_is_told(date: str) -> None:
    assert unsupported(f"It sold on {date}") == (date,)


@pytest.mark.parametrize("figure", ["1,201", "$12", "1,200,000", "36%", "3.5%", "1.2", "1200.5"])
def test_a_figure_that_stands_in_no_cited_source_is_told(figure: str) -> None:
    expected = () if figure == "$12" else (figure,)
    assert unsupported(f"It was {figure}") == expected


def test_a_figure_said_to_be_rounded_may_round_one_of_its_source() -> None:
    shelf = SourceBook()
    shelf.add("evidence", Source("evidence", "Sold", "Sold for 1,187.40 USD"))
    for statement, expected in (
        ("about 1,200", ()),
        ("1,200", ("1,200",)),
        ("roughly $1,100", ("1,100",)),
    ):
        grounding = Grounding(shelf)
        grounding.feed(f"It sold for {statement} [source:evidence:0].")
        grounding.end()
        assert grounding.result().unsupported == expected


def test_a_name_with_digits_is_no_figure_and_a_version_is_looked_up_as_written() -> None:
    assert unsupported("The KSM999 and the KSM-888 are alike") == ()
    assert unsupported("It runs 2.4.1") == ()
    assert unsupported("It runs 2.4.2") == ("2.4.2",)


def test_a_figure_that_stands_only_in_another_sentences_source_is_told() -> None:
    _, result = ground("It sold for 1,200 [source:record:0]. It took 12 days [source:evidence:0].")
    assert result.unsupported == ("1,200",)


@pytest.mark.parametrize(
    ("figure", "content"),
    [("17⅓ weeks", "17 1/3 weeks"), ("1.200,50 EUR", "1,200.50"), ("half: 1/2", "0.5 of it")],
)
def test_fractions_and_continental_figures_are_read(figure: str, content: str) -> None:
    shelf = SourceBook()
    shelf.add("rule", Source("rule", "A rule", content))
    grounding = Grounding(shelf)
    grounding.feed(f"It is {figure} [source:rule:0].")
    grounding.end()
    assert grounding.result().unsupported == ()


@given(st.text(alphabet="0123456789.,/ ⅓%kmJune-'T:", max_size=60) | st.just("9" * 5_000))
def test_no_text_is_too_odd_to_be_checked(text: str) -> None:
    shelf = SourceBook()
    shelf.add("evidence", Source("evidence", "Sold", text))
    grounding = Grounding(shelf)
    grounding.feed(f"It is {text} [source:evidence:0].")
    grounding.end()
    grounding.result()
