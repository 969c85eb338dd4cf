"""What no source supports is marked in the text itself, wherever the text is read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from whence.chat.citing.marks import mark, unmarked

TEXT = "It is worth 999.99 USD [1]. One sold yesterday for 1,234.56 USD."


def test_a_figure_that_is_not_in_its_source_is_marked_behind_its_unit() -> None:
    assert mark(TEXT, (), ("999.99",)) == (
        "It is worth 999.99 USD (not in its source) [1]. One sold yesterday for 1,234.56 USD."
    )


def test_a_sentence_without_a_source_is_marked_before_its_stop() -> None:
    marked = mark(TEXT, ("One sold yesterday for 1,234.56 USD.",), ("999.99", "1,234.56"))
    assert marked == (
        "It is worth 999.99 USD (not in its source) [1]. "
        "One sold yesterday for 1,234.56 USD (no source)."
    )


def test_a_figure_inside_another_one_is_not_marked() -> None:
    assert mark("It took 40 of 140 and 40.5.", (), ("40",)).count("(not in its source)") == 1


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=20), max_size=3))
def test_marks_are_only_added(text: str, faults: list[str]) -> None:
    assert unmarked(mark(text, faults, ())).split() == unmarked(text).split()
