from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.packs.resale.matching.profile import looks_like_code
from whence.packs.resale.matching.tokens import compounds, plain, terms, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SanDisk 32 GB", ["sandisk", "32gb"]),
        ("SanDisk 32GB", ["sandisk", "32gb"]),
        ("USB 2.0", ["usb", "2"]),
        ('24" Monitor', ["24inch", "monitor"]),
        ("1,000 Count", ["1000pk"]),
        ("Caméra", ["camera"]),
        ("Kit Kamera@de", ["kit", "kamera"]),
        ("70\u2013300mm", ["70", "300mm"]),
        ("Exmor\u2122 4\u00d7", ["exmor", "4x"]),
    ],
)
def test_spellings_of_one_thing_give_the_same_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_code_with_hyphens_is_also_one_term() -> None:
    assert "dcs6045lkt" in terms("D-Link DCS-6045LKT")


@pytest.mark.parametrize(
    ("text", "code"),
    [("AFHGM-001", "afhgm001"), ("DCS-2230L camera", "dcs2230l"), ("BG\u2011E11", "bge11")],
)
def test_a_code_may_begin_with_many_letters_or_end_like_a_measure(text: str, code: str) -> None:
    assert compounds(text) == [code]


@pytest.mark.parametrize("text", ["office-2007", "version-2"])
def test_a_word_with_its_year_or_version_is_no_code(text: str) -> None:
    assert compounds(text) == []


@pytest.mark.parametrize("text", ["20.1-Megapixel", "70-200mm", "day-night", "2-pack"])
def test_sizes_and_ranges_are_no_codes(text: str) -> None:
    assert compounds(text) == []


def test_the_name_of_a_shop_with_a_digit_is_no_code() -> None:
    assert not looks_like_code("optics4birding")
    assert looks_like_code("mvh500ah")


def test_letters_that_do_not_decompose_are_read_as_their_plain_ones() -> None:
    assert terms("Plakat Łódź, Smørbrød für die Straße") == terms(
        "plakat lodz, smorbrod fur die strasse"
    )


def test_language_tags_shops_and_pages_are_dropped() -> None:
    assert plain('Camera Kit"@hu at Shop.com page 12').split() == ["camera", "kit", "at"]


@given(st.text(max_size=300))
def test_any_text_gives_terms_that_are_distinct_and_lower_case(text: str) -> None:
    result = terms(text)
    assert len(result) == len(set(result))
    assert all(term and term == term.lower() for term in result)
