"""Where the header is, and files that have none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from whence.records.tabular.layout import Layout
from whence.records.tabular.raw import RawRow
from whence.records.tabular.table import open_table

Write = Callable[..., Path]
LAYOUT = Layout(frozenset({"supplier", "paid", "amount"}))


def cells(path: Path, layout: Layout = LAYOUT) -> tuple[tuple[str, ...], list[list[object]]]:
    table = open_table(path, layout)
    return table.headers, [list(row.cells) for row in table.rows if isinstance(row, RawRow)]


@pytest.mark.parametrize(
    "above",
    ["Spend over £250\n", ",,,\n", "\n\n", "Council,,\nSpend over 250,,\n\n", "Amount,,\n"],
)
def test_lines_above_the_header_are_skipped(write: Write, above: str) -> None:
    headers, rows = cells(write(above + "Supplier,Paid,Amount\nLamps Ltd,01/02/2024,12\n"))
    assert headers == ("Supplier", "Paid", "Amount")
    assert rows == [["Lamps Ltd", "01/02/2024", "12"]]


def test_skipped_lines_are_noted(write: Write) -> None:
    table = open_table(write("Spend over 250\nSupplier,Amount\nLamps Ltd,12\n"), LAYOUT)
    assert "The header is in line 2; what stands above it is skipped." in table.notes


def test_one_known_word_in_a_row_does_not_make_it_the_header(write: Write) -> None:
    assert cells(write("name,note\nLamps Ltd,amount\n"))[0] == ("name", "note")


def test_a_file_without_a_header_is_read_by_the_usual_columns(write: Write) -> None:
    layout = Layout(LAYOUT.known, headers_if_none=("Supplier", "Paid", "Amount"))
    headers, rows = cells(write("Lamps Ltd,,01/02/2024,,12\nRugs Ltd,,02/02/2024,,5\n"), layout)
    assert headers == ("Supplier", "", "Paid", "", "Amount")
    assert len(rows) == 2


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_title_line_does_not_hide_the_delimiter(write: Write, delimiter: str) -> None:
    text = "Spend over 250\n" + "Supplier~Paid~Amount\nLamps~01/02/2024~12\n".replace(
        "~", delimiter
    )
    assert cells(write(text))[0] == ("Supplier", "Paid", "Amount")


@pytest.mark.parametrize("photographs", [1, 3, 4, 12])
def test_what_separates_photographs_in_a_cell_is_no_delimiter(
    write: Write, photographs: int
) -> None:
    photos = "|".join(f"{number}.jpg" for number in range(photographs))
    text = "id,title,photos\n" + "".join(f"{row},Lamp,{photos}\n" for row in range(30))
    headers, rows = cells(write(text), Layout(("title",)))
    assert headers == ("id", "title", "photos")
    assert rows[0] == ["0", "Lamp", photos]
