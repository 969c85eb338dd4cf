"""Which header means which field."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from whence.packs.resale.imports import Row, items, listings, read_items, read_listings
from whence.packs.resale.imports.headers import WORDS
from whence.packs.resale.records import Item, Listing
from whence.sdk.errors import Invalid
from whence.sdk.tabular import Field, header_key, match

Write = Callable[..., Path]


def only_item(path: Path, mapping: dict[str, str] | None = None) -> Item:
    [row] = read_items(path, mapping)
    assert isinstance(row, Row)
    return row.record


def only_listing(path: Path, mapping: dict[str, str] | None = None) -> Listing:
    [row] = read_listings(path, mapping)
    assert isinstance(row, Row)
    return row.record


@pytest.mark.parametrize("header", ["itemTitle", "Item Title", "ITEM_TITLE", "item-title (text)"])
def test_spelling_of_a_header_does_not_matter(header: str) -> None:
    assert header_key(header) == "itemtitle"


@pytest.mark.parametrize(
    ("header", "field"),
    [
        ("Name", "title"), ("product", "title"),
        ("asking price", "default_price"), ("Amount", "default_price"),
        ("SKU", "id"), ("Custom label", "id"), ("Item ID", "id"),
        ("UPC", "gtin"), ("ean", "gtin"), ("ISBN", "gtin"), ("Barcode", "gtin"),
        ("Manufacturer", "brand"), ("make", "brand"), ("C:Brand", "brand"),
        ("model number", "model"), ("part number", "mpn"), ("MPN", "mpn"),
        ("qty", "quantity"), ("Image URL", "photos"), ("Picture 2", "photos"),
        ("PicURL", "photos"), ("lifecycleStatus", "lifecycle_status"),
        ("Price (EUR)", "default_price"), ("price_usd", "default_price"),
        ("Stock #", "id"), ("Item #", "id"), ("Inventory No.", "id"), ("Stock no", "id"),
        ("Ref.", "id"), ("Part #", "mpn"), ("Model #", "model"), ("Stock", "quantity"),
        ("Cond.", "condition"), ("What is it?", "title"),
    ],
)  # fmt: skip
def test_headers_of_items(header: str, field: str) -> None:
    headers = [header] if field == "title" else ["title", header]
    assert match(headers, items.FIELDS).mapping[header] == field


@pytest.mark.parametrize(
    ("header", "field"),
    [
        ("sold price", "price"), ("Sold For", "price"), ("postage", "shipping"),
        ("date sold", "sold_at"), ("End date", "sold_at"), ("Start date", "listed_at"),
        ("site", "marketplace"), ("Link", "url"), ("Item number", "id"),
        ("sold_days_ago", "sold_days_ago"), ("free shipping", "free_shipping"),
    ],
)  # fmt: skip
def test_headers_of_listings(header: str, field: str) -> None:
    assert match(["title", header], listings.FIELDS).mapping[header] == field


def test_unknown_columns_of_items_become_attributes(write: Write) -> None:
    item = only_item(write("title,Colour,attr:Size,C:Fit,empty\nShirt,red,M,slim,\n"))
    assert item.attributes == {"Colour": "red", "Size": "M", "Fit": "slim"}


def test_unknown_columns_of_listings_are_ignored_and_named(write: Write) -> None:
    reading = read_listings(write("title,Watchers\nShirt,12\n"))
    assert reading.report.ignored == ("Watchers",)


def test_model_and_model_number_are_told_apart(write: Write) -> None:
    item = only_item(write("title,Model Number,Model\nCamera,M-50B,Quattro\n"))
    assert (item.model, item.mpn) == ("Quattro", "M-50B")


def test_the_first_filled_code_column_counts(write: Write) -> None:
    item = only_item(write("title,upc,ean\nCamera,,4006381333931\n"))
    assert item.gtin == "04006381333931"


def test_the_sold_price_goes_before_the_asking_price(write: Write) -> None:
    listing = only_listing(write("title,price,sold price\nCamera,90,75\n"))
    assert (listing.price, listing.status.value) == (75, "sold")


def test_a_currency_in_the_header_counts(write: Write) -> None:
    assert only_item(write("title,price (EUR)\nLamp,12\n")).currency == "EUR"
    assert only_listing(write("title,price_gbp\nLamp,12\n")).currency == "GBP"


def test_an_explicit_mapping_goes_before_the_synonyms(write: Write) -> None:
    path = write("title,what,hue,secret\nA1,Lamp,red,x\n")
    item = only_item(
        path, {"What": "title", "title": "id", "hue": "attr:Color", "secret": "ignore"}
    )
    assert (item.title, item.attributes) == ("Lamp", {"Color": "red"})
    assert read_items(path, {"what": "title", "title": "id"}).report.mapping[0] == ("title", "id")


@pytest.mark.parametrize(
    ("mapping", "reason"),
    [({"nope": "title"}, "no header 'nope'"), ({"title": "colour"}, "no field 'colour'")],
)
def test_a_mapping_to_nowhere_is_refused(
    write: Write, mapping: dict[str, str], reason: str
) -> None:
    with pytest.raises(Invalid, match=reason):
        read_items(write("title\nLamp\n"), mapping)


def test_a_hostile_header_costs_no_time(write: Write) -> None:
    assert only_item(write("title," + "(" * 60_000 + "\nLamp,1\n")).title == "Lamp"


def test_a_file_without_ids_says_how_its_items_are_named(write: Write) -> None:
    [note] = read_items(write("title,price\nLamp,12\n")).report.notes
    assert "`content-...`" in note
    assert read_items(write("stock #,title\nA-1,Lamp\n")).report.notes == ()


GERMAN = (
    "Artikelnummer;Bezeichnung;Beschreibung;Zustand;Marke;Menge;Verkaufspreis (€);EK-Preis;EAN\n"
)
FRENCH = "Référence;Titre;Description;État;Marque;Quantité;Prix de vente (€);Prix d'achat;EAN\n"
SPANISH = "SKU;Título;Descripción;Estado;Marca;Cantidad;Precio (€);Precio de compra;EAN\n"


@pytest.mark.parametrize(
    ("header", "condition"),
    [
        (GERMAN, "Wie neu"), (GERMAN, "Neu"), (GERMAN, "Gebraucht"), (GERMAN, "Sehr gut"),
        (FRENCH, "Très bon état"), (SPANISH, "Como nuevo"),
    ],
)  # fmt: skip
def test_files_in_other_languages_are_understood(write: Write, header: str, condition: str) -> None:
    row = f"A-1;Kamera;Läuft;{condition};Canon;2;1.249,50;89,90;4006381333931\n"
    item = only_item(write(header + row))
    assert (item.title, item.description, item.brand) == ("Kamera", "Läuft", "Canon")
    assert (item.default_price, item.cost, item.currency) == (1249.5, 89.9, "EUR")
    assert (item.quantity, item.gtin, item.attributes) == (2, "04006381333931", {})
    assert item.condition is not None


@pytest.mark.parametrize("fields", [items.FIELDS, listings.FIELDS])
def test_a_word_of_another_language_means_one_field(fields: tuple[Field, ...]) -> None:
    others = [word for each in fields for word in WORDS.get(each.name, "").split()]
    ours = [word for each in fields for word in each.headers if word not in others]
    assert sorted(set(others)) == sorted(others)
    assert not set(others) & set(ours)
    assert [header_key(word) for word in others] == others
