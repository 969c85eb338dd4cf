"""Where a name stands in a text: as words of its own, in any spelling."""

from __future__ import annotations

import pytest

from whence.packs.resale.identification.spelling import as_written, spelling


@pytest.mark.parametrize(
    ("value", "content", "quote"),
    [
        ("LG", "An lg monitor", "lg"),
        ("QB-700", "Aurelia qb700 black", "qb700"),
        ("qb700", "Model: QB-700", "QB-700"),
        ("sf16n4/tqp", "SONY SF16N4 TQP card", "SF16N4 TQP"),
        ("Black & Decker", "black & decker drill", "black & decker"),
        ("AT&T", "An AT&T phone", "AT&T"),
        ("İstanbul", "Made in İstanbul", "İstanbul"),
    ],
)
def test_it_is_quoted_as_the_text_writes_it(value: str, content: str, quote: str) -> None:
    results = spelling(value).search(content)
    assert results
    assert results[0] == quote


@pytest.mark.parametrize(
    ("value", "content"),
    [
        ("LG", "algae scrubber"),
        ("HP", "graph paper"),
        ("K2-9", "K2-90"),
        ("HP", "h p"),
        ("--", "--"),
    ],
)
def test_it_does_not_stand_inside_of_another(value: str, content: str) -> None:
    assert not spelling(value).search(content)


def test_a_code_keeps_the_spelling_of_its_owner() -> None:
    assert as_written("k290", ["Fennmark K2-90 kettle"]) == "K2-90"
    assert as_written("zx1", ["nothing of it"]) == "zx1"
