"""Workbooks: sheets, dates, errors, limits."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from fixtures.workbooks import ods, xlsx
from whence.kernel.errors import Invalid
from whence.sdk.tabular import (
    Cells,
    Context,
    Field,
    Layout,
    Reading,
    Refused,
    Row,
    amount,
    day,
    known_keys,
    match,
    open_table,
)

FIELDS = (
    Field("supplier", ("supplier",), is_required=True),
    Field("paid_on", ("paid", "paymentdate"), is_date=True),
    Field("amount", ("amount",), is_amount=True),
)
HEADER = ("Supplier", "Paid", "Amount")


def read(path: Path, sheet: str | None = None) -> Reading[tuple[object, ...]]:
    def build(cells: Cells, _: str, __: Context) -> tuple[object, ...]:
        price = cells.need("amount", amount)
        return (
            cells.required_line("supplier", 100),
            cells.need("paid_on", day),
            price and price.value,
        )

    table = open_table(path, Layout(known_keys(FIELDS), sheet=sheet))
    return Reading(table, match(table.headers, FIELDS), datetime.now(UTC), build)


def records(rows: Iterator[Row[tuple[object, ...]] | Refused]) -> list[tuple[object, ...]]:
    return [row.record for row in rows if isinstance(row, Row)]


def test_dates_and_numbers_are_read_as_they_are(tmp_path: Path) -> None:
    rows = [HEADER, ("Lamps Ltd", date(2024, 2, 1), 12.5), ("Rugs Ltd", None, 7)]
    expected = [("Lamps Ltd", date(2024, 2, 1), 12.5), ("Rugs Ltd", None, 7)]
    assert records(read(xlsx(tmp_path / "a.xlsx", {"One": rows}))) == expected
    assert records(read(ods(tmp_path / "a.ods", rows))) == expected


def test_an_error_is_refused_by_its_name(tmp_path: Path) -> None:
    rows = [HEADER, ("Lamps Ltd", None, "#DIV/0!"), ("Rugs Ltd", None, 7)]
    results = list(read(xlsx(tmp_path / "a.xlsx", {"One": rows})))
    assert results[0] == Refused(
        2, "amount", "#DIV/0!", "The spreadsheet shows the error #DIV/0! here."
    )
    assert isinstance(results[1], Row)


def test_the_sheet_with_the_known_headers_is_read_and_the_others_named(tmp_path: Path) -> None:
    path = xlsx(
        tmp_path / "a.xlsx",
        {
            "Old": [HEADER, ("Hidden Ltd", None, 1)],
            "Notes": [("About", "this file")],
            "Spend": [("Spend over 250",), HEADER, ("Lamps Ltd", None, 2)],
        },
        hidden=["Old"],
    )
    reading = read(path)
    assert records(reading) == [("Lamps Ltd", None, 2)]
    assert "Sheet 'Spend' is read; not read: 'Notes'." in reading.report.notes
    assert records(read(path, sheet="Old")) == [("Hidden Ltd", None, 1)]
    with pytest.raises(Invalid, match="no sheet 'Nope'; there are: Notes, Spend"):
        read(path, sheet="Nope")


def test_the_line_of_a_refused_row_is_the_spreadsheets(tmp_path: Path) -> None:
    rows = [(None, "", None), HEADER, ("", None, 3)]
    [refused] = read(xlsx(tmp_path / "a.xlsx", {"One": rows}))
    assert isinstance(refused, Refused)
    assert (refused.line, refused.field) == (3, "supplier")


def test_a_workbook_of_any_name_is_recognised(tmp_path: Path) -> None:
    path = xlsx(tmp_path / "export.csv", {"One": [HEADER, ("Lamps Ltd", None, 2)]})
    assert records(read(path)) == [("Lamps Ltd", None, 2)]


def test_what_is_no_workbook_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.xls"
    path.write_bytes(b"\xd0\xcf\x11\xe0rest")
    with pytest.raises(Invalid, match="save it again"):
        read(path)


def test_a_workbook_without_styles_is_read_and_a_missing_sheet_is_named(tmp_path: Path) -> None:
    whole = xlsx(tmp_path / "a.xlsx", {"Stock": [HEADER, ("Ada", None, 12)]})

    def without(part: str) -> Path:
        with (
            zipfile.ZipFile(whole) as archive,
            zipfile.ZipFile(tmp_path / "b.xlsx", "w") as smaller,
        ):
            for name in archive.namelist():
                if name != part:
                    smaller.writestr(name, archive.read(name))
        return tmp_path / "b.xlsx"

    assert records(read(without("xl/styles.xml"))) == [("Ada", None, 12)]
    with pytest.raises(Invalid, match=r"Stock.*save it again"):
        read(without("xl/worksheets/sheet1.xml"))


def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = xlsx(tmp_path / "a.xlsx", {"One": [HEADER]})
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/zeros", bytes(101_000_000))
    assert path.stat().st_size < 200_000
    limit = r"a\.xlsx has 101 MB once it is unpacked; a workbook may have 100 MB at most\. Save"
    with pytest.raises(Invalid, match=limit):
        read(path)
