from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from whence.packs.resale.perception.agreement import (
    BARS,
    PART_PRINTED,
    PRINTED,
    Doubt,
    how_printed,
    looks_agreeing,
    settled,
)
from whence.packs.resale.perception.barcodes import read_barcodes
from whence.packs.resale.perception.symbols import Symbology
from whence.packs.resale.perception.views import Sighting

Draw = Callable[..., Image.Image]


@pytest.mark.parametrize(
    ("digits", "kind", "symbology", "gtin", "printed"),
    [
        ("2000000070001", "EAN13", Symbology.EAN_13, "02000000070001", "2000000070001"),
        ("036602301467", "UPCA", Symbology.UPC_A, "00036602301467", "036602301467"),
        ("96385074", "EAN8", Symbology.EAN_8, "00000096385074", "96385074"),
        ("01234565", "UPCE", Symbology.UPC_E, "00012345000065", "01234565"),
        ("15400141288763", "ITF14", Symbology.ITF_14, "15400141288763", "15400141288763"),
    ],
)
def test_each_retail_code_is_read_as_its_gtin(
    draw_code: Draw, digits: str, kind: str, symbology: Symbology, gtin: str, printed: str
) -> None:
    best = read_barcodes(draw_code(digits, kind)).best
    assert best is not None
    assert (best.gtin14, best.digits, best.symbology) == (gtin, printed, symbology)
    assert len(best.looks) >= 2


@pytest.mark.parametrize("turn", [0, 8, 45, 90, 180, 200])
def test_a_code_is_read_whichever_way_it_lies(
    draw_code: Draw, photographed: Draw, turn: float
) -> None:
    photo = photographed(draw_code("2000000070001"), turn=turn, blur=1.2, noise=6)
    best = read_barcodes(photo).best
    assert best is not None
    assert best.gtin14 == "02000000070001"


def test_a_code_too_blurred_for_edges_is_confirmed_by_its_printed_digits(
    draw_code: Draw, photographed: Draw
) -> None:
    photo = photographed(draw_code("4006381333931"), blur=2.6)
    assert read_barcodes(photo).best is None
    best = read_barcodes(photo, lambda _: ["4", "006381", "333931"]).best
    assert best is not None
    assert (best.digits, best.looks) == ("4006381333931", (PRINTED, BARS))
    assert read_barcodes(photo, lambda _: ["4 006381 333948"]).best is None


def test_the_box_is_where_the_code_is(draw_code: Draw) -> None:
    page = draw_code("2000000070001")
    best = read_barcodes(page).best
    assert best is not None
    left, top, right, bottom = best.box
    assert 120 <= left < right <= page.width - 120
    assert 95 <= top < bottom <= page.height - 95


@pytest.mark.parametrize("part", [0.5, 0.6, 0.7])
def test_part_of_a_code_is_not_read_as_a_shorter_one(draw_code: Draw, part: float) -> None:
    for digits in ("4006381333931", "9780345348036", "2000000070001", "036602301467"):
        page = draw_code(digits, "UPCA" if len(digits) == 12 else "EAN13")
        assert read_barcodes(page.crop((0, 0, int(page.width * part), page.height))).best is None


def test_no_code_is_read_where_there_is_none() -> None:
    random = np.random.default_rng(5)
    stripes = np.repeat(random.integers(0, 2, (1, 300)) * 255, 200, axis=0).repeat(3, axis=1)
    noise = random.integers(0, 256, (300, 400))
    page = Image.new("L", (700, 500), 250)
    for row in range(12):
        ImageDraw.Draw(page).text(
            (20, 20 + 38 * row), "|||| 2000000070001 IIIllIlI", font=ImageFont.load_default(30)
        )
    for pixels in (stripes.astype(np.uint8), noise.astype(np.uint8), np.asarray(page)):
        reading = read_barcodes(Image.fromarray(pixels))
        assert reading.barcodes == ()
        assert reading.unread


@pytest.mark.parametrize("size", [(1, 1), (3, 700), (700, 3), (16, 16)])
def test_tiny_and_thin_pictures_are_unread_and_no_error(size: tuple[int, int]) -> None:
    assert read_barcodes(Image.new("RGB", size, (9, 9, 9))).unread == "no barcode was seen"


def test_a_price_line_of_a_book_is_named_and_not_taken_for_the_book(draw_code: Draw) -> None:
    reading = read_barcodes(draw_code("1920081045006"))
    assert reading.best is None
    assert "no product code" in (reading.unread or "")


@pytest.mark.parametrize("turn", [0, 7, 180])
def test_the_isbn_above_a_price_line_is_the_books_code(
    draw_book: Draw, photographed: Draw, turn: float
) -> None:
    page = draw_book("9784112345679", "1920093012003")
    reading = read_barcodes(photographed(page, turn=turn, blur=0.5, noise=4))
    assert [code.gtin14 for code in reading.barcodes] == ["09784112345679"]


def test_a_price_line_beside_an_unread_isbn_says_what_to_photograph(draw_book: Draw) -> None:
    page = draw_book("9784112345679", "1920093012003", scale=2)
    page.paste((228, 226, 220), (150, 150, 240, 216))
    reading = read_barcodes(page)
    assert reading.best is None
    assert "photograph the ISBN above it" in (reading.unread or "")


def sighting(digits: str, look: str = "plain", symbology: Symbology = Symbology.EAN_13) -> Sighting:
    return Sighting(symbology, digits, look, (10.0, 10.0), (200.0, 10.0), 60.0)


def test_one_look_alone_is_never_believed() -> None:
    code = "4006381333931"
    assert looks_agreeing(code, {code: Doubt(sighting(code), looks=["plain"])}) == ()
    assert looks_agreeing(code, {code: Doubt(sighting(code), lines={code: 7})}) == ()


def test_the_drawing_overrules_any_number_of_edge_readings() -> None:
    misread, drawn = "7621200108018", "7622200008018"
    lines = {drawn: 6}
    doubts = {
        misread: Doubt(sighting(misread), looks=["plain", "enlarged", "reduced"], lines=lines)
    }
    assert looks_agreeing(misread, doubts) == ()


def test_two_codes_at_one_place_leave_both_in_doubt() -> None:
    one, other = "4006381333931", "9780345348036"
    doubts = {
        code: Doubt(sighting(code), looks=["plain", "enlarged", "reduced"]) for code in (one, other)
    }
    assert looks_agreeing(one, doubts) == looks_agreeing(other, doubts) == ()


def test_an_isbn_and_the_price_line_under_it_are_two_places() -> None:
    isbn, price_line = "9784112345679", "1920093012003"
    doubts = {
        code: Doubt(sighting(code), looks=["plain", "enlarged", "reduced"])
        for code in (isbn, price_line)
    }
    assert looks_agreeing(isbn, doubts)


def test_a_price_line_does_not_end_the_reading() -> None:
    price_line = "1920093012003"
    doubt = Doubt(sighting(price_line), looks=["plain"], lines={price_line: 7})
    assert looks_agreeing(price_line, {price_line: doubt})
    assert not settled({price_line: doubt})


def test_a_short_code_without_blank_margins_is_not_believed() -> None:
    code = "96385074"
    place = sighting(code, symbology=Symbology.EAN_8)
    doubt = Doubt(place, looks=["plain"], lines={code: 7}, quiet=False)
    assert looks_agreeing(code, {code: doubt}) == ()


def test_printed_digits_count_in_full_only_when_they_are_the_whole_code() -> None:
    assert how_printed("9780804816632", ['9"780804"816632']) == PRINTED
    assert how_printed("9780804816632", ["ISBN 0-8048-1663-8"]) == PRINTED
    assert how_printed("0036602301467", ["0", "36602 30146", "7"]) == PRINTED
    assert how_printed("9780804816632", ['04"816632']) == PART_PRINTED
    assert how_printed("9780804816632", ["51495"]) is None
    assert how_printed("7621200108018", ["7 622200 008018"]) is None


def test_part_of_the_printed_digits_confirms_a_drawing_but_no_edge_reading() -> None:
    code = "4006381333931"
    drawn = Doubt(sighting(code), looks=[PART_PRINTED], lines={code: 5})
    edges = Doubt(sighting(code), looks=["plain", PART_PRINTED])
    assert looks_agreeing(code, {code: drawn})
    assert looks_agreeing(code, {code: edges}) == ()
