"""Which codes of a title can be the model of what it offers."""

from __future__ import annotations

import pytest

from whence.packs.resale.identification.codes_in_titles import codes_in


@pytest.mark.parametrize(
    ("title", "codes"),
    [
        ("Halvorsen HX450 cordless drill 18V 2.0Ah", ["hx450"]),
        ("Tavira film camera FM-10 with 35-70mm lens", ["fm10"]),
        ("Laptop memory 16GB DDR4-3200 SO-DIMM", []),
        ("Work boots EU43 US10", []),
        ("Lamp E27 12V, 1970s", []),
        ("Charger for Aurelia QB-700", []),
        ("Toner compatible with NORDEN P2200", []),
        ("Aurelia QB-700 for parts", ["qb700"]),
    ],
)
def test_measures_and_other_products_are_no_codes(title: str, codes: list[str]) -> None:
    assert codes_in([title]) == codes
