"""What is shown of an answer: no pictures, no HTML, no foreign links, however it is split."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.chat.citing.safe_markup import AnswerFilter, MarkupFilter, addresses, safe
from whence.chat.citing.sources import Source, SourceBook

OURS = "https://sold.example/camera_(2019)"
EVIL = "http://evil.example/?d=secret"


def allowed(url: str) -> bool:
    return url == OURS


FRAGMENTS = st.sampled_from(
    [
        *("![", "[", "]", "(", ")", "!", "](", "]:", "<img ", "<", ">", "\n", " ", "text", "&#33;"),
        *(OURS, EVIL, "http:", "//evil.example", "www.", "\\", "/", ".", ' "title"', "[1]", "`"),
        *("javascript:x", "data:image/png;base64,AA", "&colon;", "\x1b[31m", "\u202e", "é"),
    ]
)
TEXTS = st.lists(FRAGMENTS, max_size=16).map("".join)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("It sold for 40 dollars [1].", "It sold for 40 dollars [1]."),
        ("Wow! That is **good**, 3 < 4.", "Wow! That is **good**, 3 < 4."),
        (f"See [the sale]({OURS}) [1].", f"See [the sale]({OURS}) [1]."),
        (f"See {OURS}.", f"See {OURS}."),
        (f'[sale]({OURS} "mine")', f"[sale]({OURS})"),
        ("data: 5 sales; profit: 3", "data: 5 sales; profit: 3"),
        ("AT&amp;T, R&D", "AT&amp;T, R&D"),
        (f"![]({EVIL})", "! [] (link removed)"),
        (f"[![]({EVIL})]({OURS})", f"[! [] (link removed)]({OURS})"),
        ("![x][r]\n\n[r]: //evil.example/x", "! [x][r]\n\n[r] : //evil.example/x"),
        (f"[click]({EVIL})", "[click] (link removed)"),
        ("[click](javascript:alert(1))", "[click] (link removed)"),
        ("[click](//evil.example)", "[click] (link removed)"),
        ("[click](http&#58;//evil.example)", "[click] (link removed)"),
        (f"Go to {EVIL}, now", "Go to (link removed), now"),
        ("www.evil.example and ftp://evil.example", "(link removed) and (link removed)"),
        (r"http:\/\/evil.example", "(link removed)"),
        ("http&#58;//evil.example", "http&amp;#58;//evil.example"),
        (f"<{EVIL}>", "‹(link removed)>"),
        ("<img src=x onerror=alert(1)>", "‹img src=x onerror=alert(1)>"),
        ("<!-- x --></p>", "‹!-- x -->‹/p>"),
        (f"{OURS}/more", "(link removed)"),
        (f"31m{EVIL} 1{EVIL}", "31(link removed) 1(link removed)"),
        ("\x1b[31mred\x1b[0m \u202eabc", "[31mred[0m abc"),
    ],
)
def test_what_was_written_is_shown_without_ways_out(written: str, shown: str) -> None:
    assert safe(written, allowed) == shown


@given(TEXTS, st.lists(st.integers(min_value=0, max_value=120), max_size=8))
def test_however_it_is_split_the_same_is_shown(text: str, cuts: list[int]) -> None:
    places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    showing = MarkupFilter(allowed)
    pieces = [showing.feed(text[a:b]) for a, b in pairwise(places)]
    assert "".join(pieces) + showing.end() == safe(text, allowed)


@given(TEXTS)
def test_no_text_keeps_a_way_out(text: str) -> None:
    ways_out(safe(text, allowed))


def ways_out(shown: str) -> None:
    assert "![" not in shown
    assert "]:" not in shown
    assert not re.search(r"<[A-Za-z/!?]", shown)
    assert not re.search(r"&(#|colon;)", shown)
    for link in re.findall(r"\]\(([^)]*\)?)", shown):
        assert link.startswith(OURS)
    rest = shown.replace(OURS, "")
    assert not re.search(r"[a-z0-9+.\-]:\\?/\\?/", rest, re.IGNORECASE)
    assert not re.search(r"(?<![a-z0-9])www\.\S", rest, re.IGNORECASE)


@given(TEXTS)
def test_what_is_safe_stays_as_it_is(text: str) -> None:
    once = safe(text, allowed)
    assert safe(once, allowed) == once


def test_only_plain_web_addresses_of_sources_may_stand() -> None:
    odd = ["javascript:alert(1)", "https://x.example/![](//evil.example)", "ftp://x", "", None]
    sources = [Source("evidence", "Sale", "Sold", url=url) for url in (OURS, *odd)]
    assert addresses(sources) == {OURS}


def test_an_address_stays_in_the_finished_answer_only_if_its_source_is_cited() -> None:
    book = SourceBook()
    book.add("evidence", Source("evidence", "Sale", "Sold", url=OURS))
    for statement, expected in (
        (f"See [it]({OURS}) [source:evidence:0].", f"See [it]({OURS}) [1]."),
        (f"See [it]({OURS}).", "See [it] (link removed)."),
    ):
        screen = AnswerFilter(book)
        assert f"[it]({OURS})" in screen.feed(statement) + screen.end()
        assert screen.result().text == expected


def test_a_sentence_that_is_marked_as_uncited_is_as_safe_to_show_as_the_answer() -> None:
    screen = AnswerFilter(SourceBook())
    screen.feed(f"It sold for 999 dollars \x1b[2J <img src={EVIL}> [so]({EVIL}).")
    screen.end()
    [uncited] = screen.result().uncited
    assert uncited in screen.result().text
