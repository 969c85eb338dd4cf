"""Files as people send them: each is read, or refused with the line and the reason."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from whence.packs.resale.imports import Refused, Row, read_items, read_listings
from whence.packs.resale.records import Item
from whence.sdk.errors import Invalid

Write = Callable[..., Path]


def titles(path: Path) -> list[str]:
    return [row.record.title for row in read_items(path) if isinstance(row, Row)]


def refusals(path: Path) -> list[Refused]:
    return [row for row in read_items(path) if isinstance(row, Refused)]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"title,price\nLamp,12\nRug,13\n", ["Lamp", "Rug"]),
        (b"title;price\nLamp;12,50\nRug;13,00\n", ["Lamp", "Rug"]),
        (b"title\tprice\nLamp, old\t12\nRug\t13\n", ["Lamp, old", "Rug"]),
        (b"title|price\nLamp|12\nRug|13\n", ["Lamp", "Rug"]),
        (b"sep=;\ntitle;price\nLamp;12\n", ["Lamp"]),
        (b"title\nLamp\nRug, round\n", ["Lamp"]),
        (b"\xef\xbb\xbftitle,price\nLamp,12\n", ["Lamp"]),
        ("title,price\nLampe für Büro,12\n".encode("utf-16"), ["Lampe für Büro"]),
        ("title,price\nCafé tray – old,12\n".encode("cp1252"), ["Café tray – old"]),
        ("title,price\nÉtagère ancienne à œillets,1\n".encode() + b"Lamp \xff,2\n",
         ["Étagère ancienne à œillets"]),
        (b"title,price\r\nLamp,12\r\n\r\n\r\nRug,13\r\n", ["Lamp", "Rug"]),
        (b"title,price\rLamp,12\rRug,13\r", ["Lamp", "Rug"]),
        (b'title,description\nLamp,"two\nlines, and a ""quote"""\nRug,\n', ["Lamp", "Rug"]),
        (b'title,price\nScreen 24" wide,12\nRug,13\n', ['Screen 24" wide', "Rug"]),
        (b"title,price\nLa\x00mp,12\n", ["Lamp"]),
        (b"\n\n  \ntitle,price\nLamp,12\n", ["Lamp"]),
        (b"title,price,\nLamp,12,\nRug,13,,,\n", ["Lamp", "Rug"]),
        (b"title,price\nLamp\n", ["Lamp"]),
        (b"*Title,*Price\nLamp,12\n", ["Lamp"]),
        (b"title,price\n", []),
        (b"title,title,price\nLamp,Other,12\n", ["Lamp"]),
        (b'{"title": "Lamp"}\n\n{"title": "Rug", "price": null}\n', ["Lamp", "Rug"]),
        (b'\xef\xbb\xbf{"title": "Lamp"}', ["Lamp"]),
        (b'[\n  {"title": "Lamp"},\n  {"title": "Rug"}\n]\n', ["Lamp", "Rug"]),
        (b'[{"title":"Lamp"},{"title":"Rug"}]', ["Lamp", "Rug"]),
        (b'{"title": "Lamp \\ud83d\\udca1"}', ["Lamp \U0001f4a1"]),
    ],
)  # fmt: skip
def test_reads(write: Write, content: bytes, expected: list[str]) -> None:
    assert titles(write(content)) == expected


@pytest.mark.parametrize(
    ("content", "line", "field", "reason"),
    [
        ("title,price\nLamp, old,12\n", 2, None, "3 cells for 2 headers"),
        ("title,price\nLamp,-5\n", 2, "default_price", "negative"),
        ("title,price\nLamp,NaN\n", 2, "default_price", "finite"),
        ("title,price\nLamp,1e9999\n", 2, "default_price", "finite"),
        ("title,price\nLamp,10000000\n", 2, "default_price", "not a price"),
        ("title,price\nLamp,call me\n", 2, "default_price", "Not an amount"),
        ("title,price\n,5\n", 2, "title", "empty"),
        ("title,price\nRug,1\nn/a,5\n", 3, "title", "empty"),
        (f"title,price\n{'x' * 501},5\n", 2, "title", "500"),
        (f"title,description\nLamp,{'x' * 1_000_001}\n", 2, None, "column 2 is longer"),
        (f"id,title\n{'x' * 201},Lamp\n", 2, "id", "200"),
        ("title,qty\nLamp,-1\n", 2, "quantity", "negative"),
        ("title,qty\nLamp,1.5\n", 2, "quantity", "whole number"),
        ("title,currency\nLamp,euros\n", 2, "currency", "three letters"),
        ("title,currency\nLamp,ZZZ\n", 2, "currency", "No currency has the code ZZZ"),
        ("title,price\nLamp,12 zzz\n", 2, "default_price", "No currency has the code ZZZ"),
        ('{"title": "R"}\n{"title": "L", "price": {"value": 2, "currency": "zzz"}}\n', 2,
         "default_price", "No currency has the code ZZZ"),
        ('title,price\nRug,1\n"Lamp,2\nMug,3\n', 3, None, "not closed; the lines after"),
        ('{"title": "Rug"}\n{"title": "Lamp"\n', 2, None, "Not JSON"),
        ('{"title": "Rug"}\n[1]\n', 2, None, "object is needed"),
        ('{"title": "Rug"}\nnull\n', 2, None, "object is needed"),
        ('{"title": "R"}\n{"title": "Lamp", "price": NaN}\n', 2, None, "'price' is not a finite"),
        ('{"title": "R"}\n{"title": "Lamp", "price": -Infinity}\n', 2, None, "finite"),
        ('{"title": "R"}\n{"title": "Lamp", "price": 1e9999}\n', 2, None, "finite"),
        ('{"title": "R"}\n{"title": "Lamp", "w": {"w": [1e9999]}}\n', 2, None, "finite"),
        ('{"title": "Lamp", "price": %s}\n{"title": "R"}' % ("9" * 5000), 1, None, "too many"),
        ('{"title": "R"}\n{"title": %s' % ("[" * 100_000), 2, None, "Nested too deeply"),
        ('{"title": ["Lamp"]}\n', 1, "title", "text is needed"),
        ('{"title": "Lamp", "price": {"value": -2}}\n', 1, "default_price", "negative"),
        ('[{"title": "Rug"},\n {"title": oops}]', 2, None, "Not JSON from here on"),
        ('[{"title": "Rug"},\n 7]', 2, None, "object is needed"),
        ('[{"title": "Rug"}', 2, None, "array is not closed"),
        ('[{"title": "Rug"}, {"title": ""}]', 2, "title", "empty"),
        ('{"title": "R"}\n{"title": "Lamp \\u0000"}', 2, None, "'title' holds a NUL character"),
        ('{"title": "R"}\n{"title": "Lamp \\ud800"}', 2, None, "half of a character pair"),
        ('{"title": "R"}\n{"title": ["\\udfff"]}', 2, None, "half of a character pair"),
    ],
)  # fmt: skip
def test_refuses_one_row(
    write: Write, content: str, line: int, field: str | None, reason: str
) -> None:
    [refused] = refusals(write(content))
    assert (refused.line, refused.field) == (line, field)
    assert reason in refused.reason
    assert len(refused.value) <= 80


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"   \n\n", "empty"),
        (b"\x00\x00", "empty"),
        (b"PK\x03\x04rest", "ZIP archive"),
        (b"\x1f\x8brest", "gzip"),
        (b"[]", "no header"),
        (b"color,weight\nred,1\n", "headers are 'color', 'weight'"),
        (b'{"color": "red"}\n', "headers are 'color'"),
        (b"{broken\n", "no JSON object to read. Line 1: Not JSON"),
        (b"title," + b",".join(b"c%d" % n for n in range(1_001)), "at most 1000"),
    ],
)
def test_refuses_the_whole_file(write: Write, content: bytes, reason: str) -> None:
    with pytest.raises(Invalid) as caught:
        read_items(write(content))
    assert reason in caught.value.message


def test_a_missing_title_names_the_accepted_headers(write: Write) -> None:
    with pytest.raises(Invalid, match="itemtitle"):
        read_listings(write("a,b\n1,2\n"))


def test_a_missing_file_or_a_folder_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(Invalid, match="cannot be read"):
            read_items(path)


def test_one_bad_row_does_not_cost_its_neighbours(write: Write) -> None:
    path = write("title,price\nLamp,1\nRug,-1\nMug,3\n")
    assert titles(path) == ["Lamp", "Mug"]
    assert [refused.line for refused in refusals(path)] == [3]


def test_lines_are_counted_as_an_editor_counts_them(write: Write) -> None:
    path = write('sep=;\n\ntitle;description\nA;"x\ny\nz"\n\nB;\n')
    assert [row.line for row in read_items(path)] == [4, 8]


def test_lines_of_a_json_array_are_counted_too(write: Write) -> None:
    path = write('\n[\n{"title": "A"},\n{\n"title":\n"B"},\n{"title": "C"}\n]')
    assert [row.line for row in read_items(path)] == [3, 4, 7]


def test_an_array_is_read_across_the_edges_of_the_buffer(write: Write) -> None:
    items = [{"title": f"Thing {n}", "price": n + 0.25, "notes": "x" * 900} for n in range(500)]
    rows = list(read_items(write(json.dumps(items), "things.json")))
    prices = [row.record.default_price for row in rows if isinstance(row, Row)]
    assert prices == [n + 0.25 for n in range(500)]


def test_a_short_row_is_kept_with_a_warning(write: Write) -> None:
    [row] = read_items(write("title,price,brand\nLamp,3\n"))
    assert isinstance(row, Row)
    assert row.warnings == ("This row has 2 cells for 3 headers.",)


def test_the_report_tells_how_the_file_was_read(write: Write) -> None:
    content = "id;Title;Asking price;Colour;\n1;Cafétisch;12,50;rot;\n".encode("cp1252")
    reading = read_items(write(content))
    list(reading)
    report = reading.report
    assert (report.format, report.encoding, report.rows, report.refused) == ("csv", "cp1252", 1, 0)
    assert dict(report.mapping) == {
        "id": "id", "Title": "title", "Asking price": "default_price", "Colour": "attr:Colour",
    }  # fmt: skip
    assert "Windows-1252" in report.notes[0]
    assert "semicolons" in report.notes[1]


def test_a_description_that_is_too_long_is_cut_and_says_so(write: Write) -> None:
    [row] = read_items(write(json.dumps({"title": "Lamp", "description": "y" * 30_000})))
    assert isinstance(row, Row)
    assert isinstance(row.record, Item)
    assert len(row.record.description) == 20_000
    assert "cut after 20,000" in row.warnings[0]


@pytest.mark.parametrize(
    "content",
    [
        'title,photos\nLamp,"' + ", " * 60_000 + '"\n',
        'title,photos\nLamp,"' + "x.jpg " * 20_000 + '"\n',
        "title," * 900 + "\n" + "Lamp," * 900 + "\n",
        'title,price\n"Lamp' + " " * 100_000 + '",1\n',
        "title,price\nLamp,1\n" + "," * 1_000_000 + "\n",
    ],
    ids=["commas", "photographs", "headers", "spaces", "cells"],
)
def test_hostile_files_cost_no_time(write: Write, content: str) -> None:
    path = write(content)
    began = time.process_time()
    assert titles(path) == ["Lamp"]
    assert time.process_time() - began < 2


def test_a_header_that_appears_again_is_numbered(write: Write) -> None:
    reading = read_items(write("title,price,price\nLamp,1,2\n"))
    assert reading.report.notes[0].startswith("The header 'price' appears 2 times")
    [row] = reading
    assert isinstance(row, Row)
    assert (row.record.default_price, row.record.attributes) == (1, {"price (2)": "2"})
