"""A faulty quote costs its own row, and every row that is not read is named."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from whence.kernel.errors import Invalid
from whence.records.tabular import csv_records
from whence.records.tabular.raw import BadLine, RawRow
from whence.sdk.tabular import Field, Layout, known_keys, match, open_table

Write = Callable[..., Path]
FIELDS = (Field("id", ("id",)), Field("title", ("title",), is_required=True))
HEADER = "id,title,price,currency\n"


def rows(path: Path) -> tuple[list[RawRow], list[BadLine]]:
    every = list(open_table(path, Layout(known_keys(FIELDS))).rows)
    good = [each for each in every if isinstance(each, RawRow)]
    return good, [each for each in every if isinstance(each, BadLine)]


def table(count: int, faulty: set[int]) -> str:
    quote = {True: '"', False: ""}
    return HEADER + "".join(
        f"{number},{quote[number in faulty]}Cup {number},{number + 10},EUR\n"
        for number in range(count)
    )


@pytest.mark.parametrize(
    "faulty", [{5, 6}, {5}, {5, 30}, {0}, {59}, {58, 59}, set(range(60)), {5, 7, 9}]
)
def test_open_quotes_cost_their_own_rows(write: Write, faulty: set[int]) -> None:
    good, bad = rows(write(table(60, faulty)))
    assert [row.cells[0] for row in good] == [str(n) for n in range(60) if n not in faulty]
    assert [each.line for each in bad] == [n + 2 for n in sorted(faulty)]
    assert all("quote that opens here is not closed" in each.reason for each in bad)


def test_an_open_quote_before_quoted_rows_costs_one_row(write: Write) -> None:
    quoted = "".join(f'"{n}","Cup, {n}","1","EUR"\n' for n in range(20))
    good, [bad] = rows(write(f'{HEADER}"a","Cup","1","EUR\n{quoted}'))
    assert (len(good), bad.line) == (20, 2)


def test_text_after_a_closing_quote_is_refused(write: Write) -> None:
    good, [bad] = rows(write(f'{HEADER}1,"Cup" blue,1,EUR\n2,Rug,1,EUR\n'))
    assert (bad.line, [row.line for row in good]) == (2, [3])
    assert bad.reason == "Text follows a closing quote; write a quote inside a quoted cell twice."


def test_lines_of_a_faulty_text_are_named_with_its_row(write: Write) -> None:
    text = f'{HEADER}1,"two\nlines" and more,1,EUR\n2,Rug,1,EUR\n'
    good, [bad] = rows(write(text))
    assert [row.cells[1] for row in good] == ["Rug"]
    assert bad.line == 2
    assert bad.reason.endswith("(lines 2 to 3).")


@pytest.mark.parametrize("last", ['9,Screen 24",1,EUR', '9,Screen 24",1,EUR,'])
def test_rows_inside_a_quote_that_closes_later_are_read(write: Write, last: str) -> None:
    """The quote of the wide screen closes the cell: without a check, one row of all of them."""
    between = "".join(f"{n},Cup,1,EUR\n" for n in range(3, 9))
    good, bad = rows(write(f'{HEADER}1,"Cup,1,EUR\n{between}{last}\n{between}'))
    assert [row.cells[0] for row in good] == [*"345678", "9", *"345678"]
    assert [each.line for each in bad] == [2]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('1,"two\nlines, and a ""quote""",1,EUR\n', 'two\nlines, and a "quote"'),
        ('1,"a\n\n\nb",1,EUR\n', "a\n\n\nb"),
        ('1,"rows, of, a, table\n1,2,3,4\nend",1,EUR\n', "rows, of, a, table\n1,2,3,4\nend"),
        ('1,"a\r\nb",1,EUR\r\n', "a\r\nb"),
        ('1,Screen 24" wide,1,EUR\n', 'Screen 24" wide'),
    ],
)
@pytest.mark.parametrize("before", ["", '0,"Cup,1,EUR\n'])
def test_legal_cells_are_read_also_after_a_fault(
    write: Write, text: str, title: str, before: str
) -> None:
    between = "x,Rug,1,EUR\n" if before and "24" in text else ""
    good, bad = rows(write(HEADER + before + between + text + "2,Rug,1,EUR\n"))
    assert [row.cells[1] for row in good if row.cells[0] != "x"] == [title, "Rug"]
    assert len(bad) == bool(before)


def test_every_line_is_a_row_or_named(write: Write) -> None:
    """Quotes at every distance: a row is read, refused, or within the lines of a refusal."""
    for first, second in pairwise(range(0, 40, 3)):
        good, bad = rows(write(table(45, {first, second})))
        assert len(good) + len(bad) == 45


def test_chains_of_faults_are_read_in_one_pass(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_records, "MAX_READ_AGAIN", 10_000)
    good, bad = rows(write("id,title\n" + 'a","b\n1,2\n' * 3_000))
    assert len(good) == 3_000
    assert len(bad) == 3_000


@pytest.mark.parametrize("header", ['id,"title,price\n', f"id,title,{'x' * 3_000_000}\n"])
def test_a_header_that_cannot_be_read_is_named(write: Write, header: str) -> None:
    with pytest.raises(Invalid, match=r"The header in line 1 of file\.csv cannot be read: "):
        match(open_table(write(header + "1,Cup,2\n2,Rug,3\n"), Layout(known_keys(FIELDS))).headers,
              FIELDS)  # fmt: skip
