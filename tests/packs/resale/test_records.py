"""What an item may say about its photographs: an address, and never a path on our disk."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from whence.packs.resale.records import MAX_PHOTOS, Item, Media


@pytest.mark.parametrize(
    "stored",
    [
        "../../etc/passwd",
        "/etc/passwd",
        "..",
        "",
        "a" * 64 + "/../x",
        "A" * 64,
        "0" * 64 + ".jpg\n",
    ],
)
def test_a_stored_name_is_the_digest_of_its_content(stored: str) -> None:
    with pytest.raises(ValidationError):
        Media(url="x.jpg", stored=stored)


def test_a_digest_with_an_ending_is_one() -> None:
    assert Media(url="x.jpg", stored="0" * 64 + ".jpeg").stored


def test_an_item_has_as_many_photographs_as_a_marketplace_takes() -> None:
    one = {"url": "https://example.org/a.jpg"}
    with pytest.raises(ValidationError):
        Item.model_validate({"title": "x", "media": [one] * (MAX_PHOTOS + 1)})


@pytest.mark.parametrize(
    ("written", "gtin"),
    [
        ("036000291452", "00036000291452"),
        ("0 36000-29145 2", "00036000291452"),
        ("96385074", "00000096385074"),
        ("8413000065504", "08413000065504"),
        ("08413000065504", "08413000065504"),
    ],
)
def test_a_barcode_may_be_written_as_it_is_printed(written: str, gtin: str) -> None:
    assert Item(title="x", gtin=written).gtin == gtin


@pytest.mark.parametrize(
    "written", ["", "123", "036000291453", "00000000000000", "٠٨٤١٣٠٠٠٠٦٥٥٠٤", "9" * 40]
)
def test_a_number_that_is_no_gtin_is_refused(written: str) -> None:
    with pytest.raises(ValidationError):
        Item(title="x", gtin=written)


@pytest.mark.parametrize(
    "more",
    [
        {"brand": "b" * 501},
        {"attributes": {"Color": "c" * 2_001}},
        {"attributes": {"": "c"}},
        {"attributes": {str(n): "c" for n in range(201)}},
    ],
)
def test_an_item_holds_no_more_than_an_import_would_keep(more: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Item.model_validate({"title": "x", **more})
