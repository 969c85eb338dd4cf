from __future__ import annotations

import pytest

from whence.packs.resale.matching.profile import looks_like_code
from whence.packs.resale.matching.specifications import specification


@pytest.mark.parametrize(
    ("word", "family"),
    [
        ("ddr4", "memory_type"),
        ("pc38500", "memory_speed"),
        ("lga1151", "socket"),
        ("am4", "socket"),
        ("1080p", "resolution"),
        ("2560x1440", "resolution"),
        ("80211ac", "wireless"),
        ("usb3", "interface"),
        ("uhs1", "card_class"),
        ("f456", "aperture"),
        ("3rd", "ordinal"),
    ],
)
def test_a_specification_is_no_model_code(word: str, family: str) -> None:
    assert specification(word) == family
    assert not looks_like_code(word)


@pytest.mark.parametrize("word", ["d5300", "dcs2230l", "rx100", "f60", "s27f350", "wh1000xm4"])
def test_a_model_code_is_no_specification(word: str) -> None:
    assert specification(word) is None
    assert looks_like_code(word)
