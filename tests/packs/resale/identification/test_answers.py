"""An owner's words about what an item is, read for a barcode's number, a brand and a model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.packs.resale.identification.answers import stated


@pytest.mark.parametrize(
    ("words", "brand", "gtin", "said_brand", "said_model"),
    [
        ("Aurelia QB-700", None, None, "Aurelia", "QB-700"),
        ("It is the Aurelia QB-700.", None, None, "Aurelia", "QB-700"),
        ("QB-700 by Aurelia", None, None, "Aurelia", "QB-700"),
        ("QB-700", "Aurelia", None, None, "QB-700"),
        ("Aurelia QB-700", "Aurelia", None, None, "QB-700"),
        ("Aurelia", None, None, "Aurelia", None),
        ("4006381333931", None, "04006381333931", None, None),
        ("barcode: 4006381333931", None, "04006381333931", None, None),
        ("4 006381 333931", None, "04006381333931", None, None),
        ("Aurelia QB-700, EAN 4006381333931", None, "04006381333931", "Aurelia", "QB-700"),
        ("no idea", None, None, "no", "idea"),
    ],
)
def test_an_answer_is_read_as_people_write_it(
    words: str, brand: str | None, gtin: str | None, said_brand: str | None, said_model: str | None
) -> None:
    statement = stated(words, brand)
    assert (statement.gtin, statement.brand, statement.model) == (gtin, said_brand, said_model)


def test_a_number_with_a_wrong_check_digit_is_no_barcode() -> None:
    assert stated("4006381333932", "Aurelia").gtin is None


@given(st.text(), st.none() | st.text())
def test_any_answer_can_be_read_and_stays_as_it_was_said(words: str, brand: str | None) -> None:
    statement = stated(words, brand)
    assert statement.lines[0] == words
