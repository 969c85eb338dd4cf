"""Rows to records: ids, repeats, warnings, photographs, and the laws of reading."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.kernel.errors import Invalid
from whence.packs.resale.imports import Refused, Row, read_items, read_listings
from whence.packs.resale.records import Condition, Item, Listing, ListingStatus

Write = Callable[..., Path]
AT = datetime(2025, 6, 1, tzinfo=UTC)


def items(path: Path) -> list[Row[Item]]:
    return [row for row in read_items(path) if isinstance(row, Row)]


def listings(path: Path) -> list[Row[Listing]]:
    return [row for row in read_listings(path, at=AT) if isinstance(row, Row)]


def test_the_id_of_the_file_is_kept(write: Write) -> None:
    [row] = listings(write("id,title\nL-1,Lamp\n"))
    assert (row.external_id, row.record.source, row.record.source_id) == ("L-1", "library", "L-1")


def test_without_an_id_the_content_names_the_row(write: Write) -> None:
    [one] = items(write("title,price\nLamp,12\n"))
    [other] = items(write('{"price": 12, "title": " Lamp"}', "b.jsonl"))
    [changed] = items(write("title,price\nLamp,13\n", "c.csv"))
    assert one.external_id == other.external_id
    assert one.external_id.startswith("content-")
    assert one.external_id != changed.external_id


def test_relative_dates_do_not_change_the_id(write: Write) -> None:
    path = write("title,sold_days_ago\nLamp,10\n")
    early, late = (next(read_listings(path, at=AT + timedelta(days=n))) for n in (0, 9))
    assert isinstance(early, Row)
    assert isinstance(late, Row)
    assert early.external_id == late.external_id
    assert early.record.sold_at == AT - timedelta(days=10)
    assert late.record.sold_at == AT - timedelta(days=1)


def test_a_repeated_row_is_read_once_and_a_contradicting_one_refused(write: Write) -> None:
    reading = read_items(write("id,title\n1,Lamp\n1,Lamp\n2,Rug\n1,Mug\n"))
    rows = list(reading)
    assert [row.line for row in rows if isinstance(row, Row)] == [2, 4]
    assert [row for row in rows if isinstance(row, Refused)] == [
        Refused(5, "id", "1", "Line 2 has this id with other content.")
    ]
    assert (reading.report.rows, reading.report.refused, reading.report.repeated) == (2, 1, 1)


def test_a_refused_row_does_not_take_the_id(write: Write) -> None:
    assert [row.line for row in items(write("id,title,price\n1,Lamp,-1\n1,Lamp,1\n"))] == [3]


def test_what_is_dropped_leaves_a_warning(write: Write) -> None:
    [row] = listings(
        write(
            "title,condition,upc,date sold,url,status\n"
            "Lamp,well loved,4006381333932,2031-01-01,javascript:x,Completed\n"
        )
    )
    listing = row.record
    assert (listing.condition, listing.gtin, listing.sold_at, listing.url) == (None,) * 4
    assert [warning.split()[0] for warning in row.warnings] == [
        "status", "sold_at", "condition", "url", "gtin",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "status"),
    [
        ("title,status\nLamp,Sold\n", ListingStatus.SOLD),
        ("title,status\nLamp,Unsold\n", ListingStatus.ENDED),
        ("title,date sold\nLamp,2025-01-01\n", ListingStatus.SOLD),
        ("title,date sold\nLamp,\n", ListingStatus.UNKNOWN),
        ("title,end date\nLamp,2025-01-01\n", ListingStatus.UNKNOWN),
        ("title,sold\nLamp,yes\n", ListingStatus.SOLD),
        ("title,price\nLamp,5\n", ListingStatus.UNKNOWN),
    ],
)
def test_sold_is_said_or_shown(write: Write, content: str, status: ListingStatus) -> None:
    assert listings(write(content))[0].record.status is status


@pytest.mark.parametrize(
    "content",
    [
        "title,Sold Price,Status\nLamp,5,\n",
        "title,sold for,listing status\nLamp,5,n/a\n",
        "title,SoldPrice,Sold\nLamp,5,\n",
        "title,Sold price (USD),Status\nLamp,5,Completed\n",
        "title,price,sold price,sale status,end date\nLamp,9,5,,2025-01-01\n",
        '[{"title": "Lamp", "soldPrice": 5, "status": null}]',
    ],
)
def test_a_header_makes_no_sale_where_the_status_is_open(write: Write, content: str) -> None:
    [row] = listings(write(content))
    assert (row.record.price, row.record.status) == (5, ListingStatus.UNKNOWN)
    assert any("counts as an asking price" in warning for warning in row.warnings)


@pytest.mark.parametrize(
    "content",
    [
        "title,Sold Price,Status\nLamp,5,sold\n",
        "title,Sold Price,Status,Date sold\nLamp,5,,2025-01-01\n",
        "title,Sold Price,Status,sold days ago\nLamp,5,,3\n",
    ],
)
def test_a_status_or_a_sold_date_makes_a_sale(write: Write, content: str) -> None:
    reading = read_listings(write(content), at=AT)
    [row] = reading
    assert isinstance(row, Row)
    assert (row.record.status, row.warnings, reading.report.notes) == (ListingStatus.SOLD, (), ())


def test_a_file_of_sold_prices_alone_is_read_as_sales_and_the_report_says_so(write: Write) -> None:
    reading = read_listings(write("title,Sold Price\nLamp,5\nRug,\n"), at=AT)
    rows = [row.record.status for row in reading if isinstance(row, Row)]
    assert rows == [ListingStatus.SOLD, ListingStatus.UNKNOWN]
    [note] = reading.report.notes
    assert "'Sold Price' is read as sold" in note


def test_the_end_of_an_active_listing_is_not_a_sale(write: Write) -> None:
    [row] = listings(write("title,status,end date\nLamp,Active,2025-07-01\n"))
    assert (row.record.sold_at, row.warnings) == (None, ())


def test_shipping_free_known_and_unknown(write: Write) -> None:
    path = write(
        "title,shipping,free shipping\nA,Free shipping,\nB,$4.50,\nC,,\nD,,yes\nE,3 EUR,\n"
    )
    assert [row.record.shipping for row in listings(path)] == [0, 4.5, None, 0, None]


def test_a_price_in_another_currency_than_the_column_says_is_refused(write: Write) -> None:
    for read in (read_items, read_listings):
        [refused] = read(write("title,price,currency\nLamp,12 €,USD\n"))
        assert isinstance(refused, Refused)
        assert refused.field == "currency"


def test_days_and_months_are_read_as_the_file_shows(write: Write) -> None:
    [first, _] = listings(write("title,date sold\nA,03/04/2025\nB,25/03/2025\n"))
    assert first.record.sold_at == datetime(2025, 4, 3, tzinfo=UTC)


def test_photographs_lie_in_the_folder_of_the_file(write: Write, tmp_path: Path) -> None:
    (tmp_path / "in" / "my photos").mkdir(parents=True)
    for name in ("in/a.jpg", "in/my photos/b, c.PNG", "outside.jpg", "in/notes.txt"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "in" / "link.jpg").symlink_to(tmp_path / "outside.jpg")
    names = [
        "a.jpg", "my photos/b, c.PNG", "my photos\\b, c.PNG", "https://example.org/x.jpg?a=1,2",
        "../outside.jpg", "link.jpg", "gone.jpg", str(tmp_path / "outside.jpg"), "notes.txt",
        "file:///etc/passwd", "~/x.jpg", "C:\\x.jpg",
    ]  # fmt: skip
    [row] = items(write(json.dumps({"title": "Lamp", "photos": names}), "in/x.jsonl"))
    folder = tmp_path / "in"
    assert [photo.url for photo in row.record.media] == [
        (folder / "a.jpg").as_uri(),
        (folder / "my photos" / "b, c.PNG").as_uri(),
        "https://example.org/x.jpg?a=1,2",
    ]
    assert len(row.warnings) == 8


@pytest.mark.parametrize(
    "cell",
    [
        "https://a.org/1.jpg|https://a.org/2.jpg",
        "https://a.org/1.jpg; https://a.org/2.jpg",
        "https://a.org/1.jpg https://a.org/2.jpg",
        "https://a.org/1.jpg, https://a.org/2.jpg",
        "https://a.org/1.jpg\nhttps://a.org/2.jpg",
    ],
)
def test_several_photographs_share_a_cell(write: Write, cell: str) -> None:
    [row] = items(write(f'title,images\nLamp,"{cell}"\n'))
    assert [photo.url for photo in row.record.media] == [
        "https://a.org/1.jpg", "https://a.org/2.jpg",
    ]  # fmt: skip


words = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters='"'), min_size=3
).filter(lambda word: unicodedata.is_normalized("NFC", word))
titles = st.lists(words, min_size=1, max_size=6).map(lambda parts: "thing " + " ".join(parts))


@st.composite
def known_items(draw: st.DrawFn) -> dict[str, str]:
    return {
        "id": str(draw(st.integers(0, 10**9))),
        "title": draw(titles),
        "price": f"{draw(st.integers(0, 999_999_999)) / 100:.2f}",
        "condition": draw(st.sampled_from(list(Condition))).value,
        "quantity": str(draw(st.integers(0, 1_000_000))),
        "brand": "brand " + draw(words),
        "attr:Colour, main": draw(st.sampled_from(["", "red", 'dark; "blue"', "a|b"])),
    }


def write_csv(rows: Sequence[dict[str, str]], columns: Sequence[str], delimiter: str) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def read_text(text: str, encoding: str = "utf-8") -> list[Row[Item] | Refused]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "items.csv"
        path.write_bytes(text.encode(encoding))
        return list(read_items(path))


@settings(max_examples=60)
@given(
    st.lists(known_items(), min_size=1, max_size=5, unique_by=lambda item: item["id"]),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    st.randoms(use_true_random=False),
)
def test_what_is_written_is_read_whatever_the_order_of_columns(
    rows: list[dict[str, str]], delimiter: str, encoding: str, chance: Random
) -> None:
    columns = list(rows[0])
    shuffled = sorted(columns, key=lambda _: chance.random())
    parsed = read_text(write_csv(rows, columns, delimiter), encoding)
    assert parsed == read_text(write_csv(rows, shuffled, delimiter), encoding)
    for statement, row in zip(rows, parsed, strict=True):
        assert isinstance(row, Row)
        item = row.record
        assert row.external_id == statement["id"]
        assert item.title == statement["title"]
        assert item.default_price == float(statement["price"])
        assert item.condition == statement["condition"]
        assert item.quantity == int(statement["quantity"])
        assert item.brand == statement["brand"]
        colour = statement["attr:Colour, main"]
        assert item.attributes == ({"Colour, main": colour} if colour else {})


@settings(max_examples=150)
@given(st.binary(max_size=300))
def test_no_bytes_break_the_reading(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.csv"
        path.write_bytes(b"title,price,photos,date sold\n" + content)
        for read in (read_items, read_listings):
            with suppress(Invalid):  # most of it is no text
                for row in read(path):
                    assert row.line >= 1


def test_a_refurbished_thing_is_noted_as_what_it_is_read(write: Write) -> None:
    rows = items(write("title,condition\nLamp,Refurbished\nMug,Certified Refurbished\nRug,Used\n"))
    assert [row.record.condition for row in rows] == [
        Condition.GOOD, Condition.LIKE_NEW, Condition.GOOD,
    ]  # fmt: skip
    assert [row.warnings for row in rows] == [
        ("condition 'Refurbished' is read as good.",),
        ("condition 'Certified Refurbished' is read as like new.",),
        (),
    ]


def test_a_cost_in_another_currency_names_the_one_that_is_stored(write: Write) -> None:
    [row] = items(write("title,cost\nLamp,€5\n"))
    assert row.warnings == ("cost '€5' is left out: the item's currency is USD.",)
    assert row.record.currency == "USD"
