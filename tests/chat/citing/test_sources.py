"""The snippet of a source: what a reader who has its title learns from it."""

from __future__ import annotations

import pytest

from whence.chat.citing.sources import SNIPPET_CHARACTERS, Source


@pytest.mark.parametrize(
    ("title", "content", "snippet"),
    [
        (
            "Research of 2 May 2026",
            "Research of 2 May 2026\nan hour old\nsum: 4",
            "an hour old sum: 4",
        ),
        ("Blue mug", "Blue mug\nBlue mug\nprice: 4.0", "price: 4.0"),
        ("Item: condition", "condition: good", "good"),
        ("The organization: name", "name: Acme", "Acme"),
        ("It is done", "It is done: success", "success"),
    ],
)
def test_a_snippet_does_not_say_its_title_again(title: str, content: str, snippet: str) -> None:
    assert Source("run", title, content).snippet == snippet


def test_a_sentence_that_only_begins_like_its_title_stays_whole() -> None:
    content = "Notice is due by April 18."
    assert Source("claim", "Notice", content).snippet == content


def test_a_source_that_is_nothing_but_its_title_shows_it() -> None:
    assert Source("evidence", "Blue mug", "Blue mug\nBlue mug").snippet == "Blue mug Blue mug"


def test_a_long_snippet_is_cut_at_a_word() -> None:
    result = Source("evidence", "Mug", "Mug\n" + "blue " * 100).snippet
    assert len(result) <= SNIPPET_CHARACTERS + 2
    assert result.endswith("blue …")
