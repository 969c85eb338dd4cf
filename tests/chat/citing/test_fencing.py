"""Markers and fences that outside text imitates, however they are dressed up."""

from __future__ import annotations

import pytest

from whence.chat.citing.fencing import harmless, one_line


@pytest.mark.parametrize("bracket", "[［【〔")
@pytest.mark.parametrize("colon", ":：")
@pytest.mark.parametrize("word", ["source", "SOURCE", " Source "])
def test_whatever_looks_like_a_marker_loses_its_bracket(
    bracket: str, colon: str, word: str
) -> None:
    assert harmless(f"{bracket}{word}{colon}evidence:0]").startswith(f"({word.strip()}:")


@pytest.mark.parametrize("bracket", "<＜‹〈")
@pytest.mark.parametrize("name", ["data-1>", "/data-1>", "／data-1>", " / DATA-1>"])
def test_whatever_looks_like_a_fence_loses_its_bracket(bracket: str, name: str) -> None:
    assert harmless(f"{bracket}{name}") == f"({name}"


@pytest.mark.parametrize(
    "unseen",
    ["\x07", "\x1b", "\u200b", "\u2066", "\u202e", "\ufeff", "\ue000", "\ufdd0", "\ud800"],
)
def test_an_invisible_character_is_taken_out_and_hides_nothing(unseen: str) -> None:
    assert harmless(f"a{unseen}b") == "ab"
    assert harmless(f"[sour{unseen}ce:evidence:0]") == "(source:evidence:0]"
    assert harmless(f"<{unseen}/data-1>") == "(/data-1>"


def test_what_people_write_stays_as_it_is() -> None:
    reported = "Größe 40 <b>fair</b> [1] (source: me)\n\tデータ – data-driven, sources: 2"
    assert harmless(reported) == reported


@pytest.mark.parametrize("end", ["\n", "\r\n", "\u2028", "\u2029", "\x0b", "\x85"])
def test_one_line_is_one_line(end: str) -> None:
    assert len(one_line(f"price{end}[source:evidence:9] forged").splitlines()) == 1
