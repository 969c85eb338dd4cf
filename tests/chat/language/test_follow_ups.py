"""Questions that take what they lack from the one before."""

from __future__ import annotations

import pytest

from whence.chat.language.follow_ups import completed

BEFORE = "What would I clear on eBay at 150?"


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("and on mercari?", "What would I clear on eBay at 150 on mercari?"),
        ("what about mercari", "What would I clear on eBay at 150 mercari?"),
        ("and at 160?", "What would I clear on eBay at 160?"),
    ],
)
def test_a_question_that_names_only_the_difference_is_completed(question: str, meant: str) -> None:
    assert completed(question, BEFORE) == meant


@pytest.mark.parametrize("question", ["and why?", "why is it so low?", "and make it 40", "thanks"])
def test_a_question_of_its_own_stays_as_it_is(question: str) -> None:
    assert completed(question, BEFORE) == question


def test_of_several_figures_the_supposed_one_is_replaced() -> None:
    before = "At 16 hours off a week, how long do the 12 weeks last?"
    meant = "At 8 hours off a week, how long do the 12 weeks last?"
    assert completed("and with 8?", before) == meant


def test_where_nothing_tells_which_figure_none_is_replaced() -> None:
    before = "Do 60 employees and 1,300 hours suffice?"
    assert completed("and with 8?", before) == "and with 8?"


def test_a_statement_before_is_not_continued() -> None:
    assert completed("and on mercari?", "Set it to 150.") == "and on mercari?"
