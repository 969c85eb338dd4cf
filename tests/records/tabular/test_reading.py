"""Rows to records, in a house that knows nothing of what is read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest

from whence.kernel.errors import Invalid
from whence.sdk.tabular import (
    BadValue,
    Cells,
    Context,
    Field,
    Layout,
    Reading,
    Refused,
    Row,
    amount,
    day,
    is_total,
    known_keys,
    match,
    open_table,
)

Write = Callable[..., Path]
FIELDS = (
    Field("id", ("reference",)),
    Field("supplier", ("supplier", "name"), is_required=True),
    Field("paid_on", ("paid",), is_date=True),
    Field("amount", ("amount", "netamount"), is_amount=True),
)
Payment = tuple[str, object, object]


def read(path: Path, *, day_first: bool = True, keep_repeats: bool = True) -> Reading[Payment]:
    def build(cells: Cells, _: str, context: Context) -> Payment:
        price = cells.need(
            "amount", partial(amount, currency=context.columns.currency, is_signed=True)
        )
        paid_on = cells.need("paid_on", partial(day, day_first=context.day_first))
        return cells.required_line("supplier", 50), paid_on, price and price.value

    table = open_table(path, Layout(known_keys(FIELDS)))
    return Reading(
        table,
        match(table.headers, FIELDS),
        datetime.now(UTC),
        build,
        is_total=lambda cells: is_total(cells, "amount", names=("supplier",)),
        day_first=day_first,
        keep_repeats=keep_repeats,
    )


def rows(reading: Reading[Payment]) -> list[Row[Payment]]:
    return [row for row in reading if isinstance(row, Row)]


def test_totals_are_left_out_and_noted(write: Write) -> None:
    reading = read(write("Name,Amount\nLamps Ltd,12\nTotal,12\n,12\nTotal Gas Ltd,3\n"))
    assert [row.record[0] for row in rows(reading)] == ["Lamps Ltd", "Total Gas Ltd"]
    assert "2 rows are totals and left out (lines 3, 4)." in reading.report.notes


def test_a_header_that_comes_again_is_no_row(write: Write) -> None:
    reading = read(write("Name:  ,Amount\nLamps Ltd,12\nName:  ,Amount\nRugs,3\n"))
    assert [row.record[0] for row in rows(reading)] == ["Lamps Ltd", "Rugs"]
    assert "The header appears again in line 3; it is no row." in reading.report.notes


def test_equal_rows_without_an_id_are_records_of_their_own_unless_read_once(write: Write) -> None:
    path = write("Name,Amount\nDVLA,322.50\nDVLA,322.50\nDVLA,10\n")
    once, each = read(path, keep_repeats=False), rows(read(path))
    assert (len(rows(once)), once.report.repeated) == (2, 1)
    [repeat] = once.take_repeats()
    assert (repeat.line, repeat.first) == (3, 2)
    assert len({row.external_id for row in each}) == 3
    assert each[1].external_id == each[0].external_id + "-2"


def test_skipped_rows_are_noted_as_read_ones_are(write: Write) -> None:
    path = write("Name,Amount\nA,1\nTotal,1\nName,Amount\nA,1\nTotal,1\nB,2\n")
    whole, rest = read(path), read(path)
    rest.skip(5)
    assert [row.record[0] for row in rows(rest)] == ["B"]
    assert len(rows(whole)) == 3
    assert rest.report.notes == whole.report.notes


def test_going_on_after_a_position_gives_the_same_rows(write: Write) -> None:
    path = write("Name,Amount\nDVLA,322.50\n,4\nDVLA,322.50\nRugs,3\n")
    whole = rows(read(path))
    rest = read(path)
    rest.skip(2)
    assert rows(rest) == whole[1:]
    assert rest.position == 4


def test_slashed_dates_follow_the_file_and_else_the_importer(write: Write) -> None:
    ambiguous = write("Name,Paid\nA,03/04/2024\n")
    shown = write("Name,Paid\nA,03/04/2024\nB,04/25/2024\n", "shown.csv")
    assert [str(row.record[1]) for row in rows(read(ambiguous))] == ["2024-04-03"]
    assert [str(row.record[1]) for row in rows(read(ambiguous, day_first=False))] == ["2024-03-04"]
    assert [str(row.record[1]) for row in rows(read(shown))] == ["2024-03-04", "2024-04-25"]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("-£1,234.00", "-1234.00"),
        ("£-1,234.00", "-1234.00"),
        ("(1,234.50)", "-1234.50"),
        ("£(5.00)", "-5.00"),
        ("12.00-", "-12.00"),
        ("12.00 CR", "-12.00"),
        ("-5", "-5"),
        ("0.10", "0.10"),
    ],
)
def test_amounts_below_zero_where_they_may_be(written: str, value: str) -> None:
    assert amount(written, is_signed=True).value == Decimal(value)
    if value.startswith("-"):
        with pytest.raises(BadValue, match="negative"):
            amount(written)


def test_a_missing_required_column_names_the_headers(write: Write) -> None:
    with pytest.raises(Invalid, match="No column holds the supplier"):
        read(write("Paid,Amount\n01/02/2024,3\n"))


def test_a_refused_row_names_line_field_value_and_reason(write: Write) -> None:
    [refused] = read(write("Name,Amount\nLamps Ltd," + "x" * 200 + "\n"))
    assert isinstance(refused, Refused)
    assert (refused.line, refused.field) == (2, "amount")
    assert len(refused.value) == 80
    assert refused.reason == "Not an amount of money."


def test_only_what_is_asked_for_is_read(write: Write) -> None:
    path = write("Name,Amount\n" + "".join(f"Lamps {n},{n}\n" for n in range(200_000)))
    reading = read(path)
    next(reading)
    assert 0 < reading.table.meter.done < reading.table.meter.total / 10
    assert reading.table.meter.total == path.stat().st_size
