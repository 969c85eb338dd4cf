"""Rows of a workbook (xlsx, xls, xlsb, ods), read by calamine.

Calamine holds one sheet in memory, so workbooks have a size limit; larger tables come as CSV.
Dates arrive as dates. A cell that shows an error (`#DIV/0!`) is refused where its value is needed.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from pathlib import Path

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
    WorksheetNotFound,
    XmlError,
    ZipError,
)

from whence.kernel.errors import Invalid

from .header import given_headers, header_position, known_headers, unique_headers
from .layout import Layout
from .raw import BadLine, Meter, RawRow, shorten
from .sheet_errors import error_cells
from .values import CellError

NumberedRow = tuple[int, list[object]]
MAX_WORKBOOK_BYTES = 100_000_000
"""Of the file, and of its parts together once unpacked: a small archive can unpack to any size."""
SAMPLE_ROWS = 50
_ERROR = re.compile(r"#(?:DIV/0!|N/A|NAME\?|NULL!|NUM!|REF!|VALUE!|SPILL!|CALC!|GETTING_DATA)")


def read(
    path: Path, layout: Layout, meter: Meter
) -> tuple[tuple[str, ...], Iterator[RawRow | BadLine], tuple[str, ...]]:
    """Headers, rows and notes of one sheet. Raises `Invalid`, naming the fix."""
    _check_size(path)
    try:
        workbook = CalamineWorkbook.from_path(str(path))
        sheet, notes = _sheet(workbook, layout)
        meter.total = sheet.total_height + 1
        errors = error_cells(path, sheet.name)
        return _table(_numbered(sheet, errors, meter), layout, notes)
    except PasswordError as error:
        raise Invalid(f"{path.name} has a password; save it without one.") from error
    except (CalamineError, XmlError, ZipError) as error:
        raise Invalid(_unreadable(path, error)) from error


def _unreadable(path: Path, error: Exception) -> str:
    part = f"its sheet '{error}' is missing" if isinstance(error, WorksheetNotFound) else str(error)
    return (
        f"{path.name} cannot be read as a workbook ({part}). Open it in Excel, LibreOffice or "
        "Google Sheets, save it again as .xlsx or as “CSV UTF-8”, and import that file."
    )


def _table(
    rows: Iterator[NumberedRow], layout: Layout, notes: list[str]
) -> tuple[tuple[str, ...], Iterator[RawRow | BadLine], tuple[str, ...]]:
    sample = list(islice(rows, SAMPLE_ROWS))
    at = header_position([cells for _, cells in sample], layout.known)
    if at is None:
        return (), iter(()), ()
    line, header = sample[at]
    if layout.headers_if_none and not known_headers(header, layout.known):
        names = given_headers(layout.headers_if_none, [cells for _, cells in sample])
        notes.append("The sheet has no header; its columns are read in the usual order.")
        rest = chain(sample, rows)
    else:
        names, more = unique_headers(header)
        notes += more
        if any(any(cell is not None for cell in cells) for _, cells in sample[:at]):
            notes.append(f"The header is in row {line}; what stands above it is skipped.")
        rest = chain(sample[at + 1 :], rows)
    return names, _rows(rest, len(names)), tuple(notes)


def _rows(numbered: Iterator[NumberedRow], width: int) -> Iterator[RawRow | BadLine]:
    for line, cells in numbered:
        if all(cell is None for cell in cells):
            continue
        beyond = [cell for cell in cells[width:] if cell is not None]
        if beyond:
            shown = shorten(", ".join(map(str, beyond)))
            yield BadLine(line, shown, f"There are values beyond the {width} headers.")
        else:
            yield RawRow(line, [*cells[:width], *[None] * (width - len(cells))])


def _numbered(
    sheet: CalamineSheet, errors: Mapping[tuple[int, int], str], meter: Meter
) -> Iterator[NumberedRow]:
    """Rows with their number as the spreadsheet shows it."""
    first_column = sheet.start[1] + 1 if sheet.start else 1
    for number, values in enumerate(sheet.iter_rows(), start=1):
        meter.done = number
        cells = [_cell(value) for value in values]
        for at in range(len(cells)) if errors else ():
            if code := errors.get((number, first_column + at)):
                cells[at] = CellError(code)
        yield number, cells


def _cell(cell: object) -> object:
    if isinstance(cell, str):
        if cell.startswith("#") and _ERROR.fullmatch(cell):
            return CellError(cell)
        return cell or None
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return int(cell)
    return cell


def _sheet(workbook: CalamineWorkbook, layout: Layout) -> tuple[CalamineSheet, list[str]]:
    names = [
        each.name
        for each in workbook.sheets_metadata
        if each.typ == SheetTypeEnum.WorkSheet and each.visible == SheetVisibleEnum.Visible
    ]
    if layout.sheet is not None:
        if layout.sheet not in workbook.sheet_names:
            raise Invalid(f"There is no sheet {layout.sheet!r}; there are: {', '.join(names)}.")
        return workbook.get_sheet_by_name(layout.sheet), []
    best: tuple[int, CalamineSheet] | None = None
    for name in names:
        sheet = workbook.get_sheet_by_name(name)
        if not sheet.height:
            continue
        rows = sheet.to_python(skip_empty_area=False, nrows=SAMPLE_ROWS)
        score = max(known_headers(row, layout.known) for row in rows)
        if best is None or score > best[0]:
            best = score, sheet
    if best is None:
        raise Invalid("The workbook has no visible sheet with rows.")
    others = [name for name in names if name != best[1].name]
    note = f"Sheet {best[1].name!r} is read; not read: {', '.join(map(repr, others))}."
    return best[1], [note] if others else []


def _check_size(path: Path) -> None:
    limit = f"a workbook may have {MAX_WORKBOOK_BYTES / 10**6:g} MB at most"
    size = path.stat().st_size
    if size > MAX_WORKBOOK_BYTES:
        raise Invalid(f"{path.name} has {size / 10**6:,.0f} MB; {limit}. Save the sheet as CSV.")
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        unpacked = sum(part.file_size for part in archive.infolist())
    if unpacked > MAX_WORKBOOK_BYTES:
        raise Invalid(
            f"{path.name} has {unpacked / 10**6:,.0f} MB once it is unpacked; {limit}. "
            "Save the sheet as CSV."
        )
