"""Markers while an answer streams: however it is split, and never a piece on the screen."""

from __future__ import annotations

import itertools
import re

from hypothesis import given
from hypothesis import strategies as st

from whence.chat.citing.markers import MAX_MARKER, MarkerParser, Piece
from whence.chat.citing.sources import Mark

FRAGMENTS = st.sampled_from(
    [
        *("[source:evidence:0]", "[Source: evidence:1, 2]", "[source:", "[sour", "ce:", "[", "]"),
        *("evidence", ":", "3", "12]", " ", "\n", ".", "a[0]", "[1]", "[source:x:]", "[source::1]"),
        *("[[source:a.b-c:7]]", "€", "price is 40", "[SOURCE:dossier:4]", "[source:x:1 and so on"),
    ]
)
TEXTS = st.lists(FRAGMENTS | st.text(max_size=5), max_size=12).map("".join)
LEFTOVER = re.compile(r"\[source:", re.I)


def read(pieces: list[str]) -> tuple[list[Piece], int]:
    parser = MarkerParser()
    faults: list[Piece] = []
    for piece in [*(each for text in pieces for each in parser.feed(text)), *parser.end()]:
        if isinstance(piece, str) and faults and isinstance(faults[-1], str):
            faults[-1] += piece
        else:
            faults.append(piece)
    return faults, parser.dropped


@given(TEXTS, st.lists(st.integers(min_value=0, max_value=80), max_size=8))
def test_any_split_of_a_text_gives_the_same(text: str, cuts: list[int]) -> None:
    places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    pieces = [text[a:b] for a, b in itertools.pairwise(places)]
    assert read(pieces) == read([text]) == read(list(text))


@given(TEXTS)
def test_no_piece_of_a_marker_is_ever_given_out(text: str) -> None:
    parser = MarkerParser()
    screen = ""
    for character in text:
        for piece in parser.feed(character):
            screen += piece if isinstance(piece, str) else "¤"
            assert not LEFTOVER.search(screen)
    screen += "".join(p if isinstance(p, str) else "¤" for p in parser.end())
    assert not LEFTOVER.search(screen)


@given(st.text(alphabet=st.characters(exclude_characters="["), max_size=60))
def test_text_without_a_bracket_comes_through_untouched_and_at_once(text: str) -> None:
    parser = MarkerParser()
    assert "".join(map(str, parser.feed(text))) == text
    assert parser.end() == []


def test_a_marker_becomes_a_mark_between_texts() -> None:
    assert read(["It is 40 [sour", "ce:evid", "ence:3", "]."]) == (
        ["It is 40 ", Mark("evidence", 3), "."],
        0,
    )


def test_one_marker_may_name_several_sources() -> None:
    marks, dropped = read(["[Source: evidence:1, 2; dossier:0, source:record:4]"])
    assert marks == [
        Mark("evidence", 1),
        Mark("evidence", 2),
        Mark("dossier", 0),
        Mark("record", 4),
    ]
    assert dropped == 0


def test_a_name_of_a_tool_of_another_server_is_read() -> None:
    assert read(["[source:prices.search-2:11]"]) == ([Mark("prices.search-2", 11)], 0)


def test_a_bracket_that_is_no_marker_is_text() -> None:
    assert read(["a[0] and [sourdough] and [s"]) == (["a[0] and [sourdough] and [s"], 0)


def test_what_began_as_a_marker_and_is_none_is_dropped_and_counted() -> None:
    assert read(["It is [source:evidence] 40"]) == (["It is  40"], 1)
    assert read(["It is [source::3] 40"]) == (["It is  40"], 1)


def test_a_marker_that_never_closes_takes_no_text_with_it() -> None:
    assert read(["[source:evidence:1 and it costs $40 now."]) == ([" and it costs $40 now."], 1)
    assert read(["It is 40 [source:evidence:1"]) == (["It is 40 "], 1)


def test_a_marker_that_never_ends_is_given_up() -> None:
    parser = MarkerParser()
    parser.feed("[source:" + "x" * MAX_MARKER)
    assert parser.dropped == 1


def test_a_marker_dropped_inside_another_does_not_make_one() -> None:
    pieces, _ = read(["[sour[source:x]ce:evidence:0]"])
    assert pieces == ["[sour ce:evidence:0]"]
