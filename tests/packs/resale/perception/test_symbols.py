from __future__ import annotations

import zxingcpp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from whence.packs.resale.perception.symbols import (
    LEFT,
    RIGHT,
    Symbology,
    check_digit_holds,
    digits_of,
    expand_upc_e,
    gtin14,
    why_not_a_product,
)

digits = st.integers(0, 9).map(str)


def test_every_digit_is_drawn_in_seven_modules_and_only_once() -> None:
    assert {len(pattern) for pattern in (*LEFT, *RIGHT)} == {7}
    assert len({*LEFT, *RIGHT}) == 30


def test_a_upc_a_and_its_ean_13_are_the_same_gtin() -> None:
    assert gtin14("036602301467") == gtin14("0036602301467") == "00036602301467"


def test_a_code_with_a_wrong_check_digit_has_no_gtin() -> None:
    assert gtin14("036602301468") is None


def test_a_number_of_odd_length_has_no_gtin() -> None:
    assert gtin14("123456") is None


@given(st.lists(digits, min_size=13, max_size=13).map("".join), st.integers(0, 12), digits)
def test_one_changed_digit_always_breaks_the_check(body: str, at: int, other: str) -> None:
    code = next(body + str(check) for check in range(10) if check_digit_holds(body + str(check)))
    assume(code[at] != other)
    assert not check_digit_holds(code[:at] + other + code[at + 1 :])


@settings(max_examples=60)
@given(
    st.integers(0, 1),
    st.lists(st.integers(3, 9).map(str), min_size=5, max_size=5).map("".join),
    digits,
)
def test_a_upc_e_stands_for_the_number_that_the_writer_says(
    system: int, body: str, last: str
) -> None:
    symbol = zxingcpp.create_barcode(f"{system}{body}{last}", zxingcpp.BarcodeFormat.UPCE)
    assert expand_upc_e(f"{system}{body}{last}{symbol.text[-1]}").zfill(13) == symbol.text


def test_parities_that_no_first_digit_has_are_not_read() -> None:
    assert digits_of(Symbology.EAN_13, [10] * 6 + [0] * 6) is None


def test_the_price_line_of_a_japanese_book_is_no_product() -> None:
    assert why_not_a_product("01920081045006") is not None
    assert why_not_a_product("09784872348880") is None
