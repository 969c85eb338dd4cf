"""A file as a table: which encoding, which format, which headers, and then its rows, one by one.

Nothing is held in memory but one row at a time, except a sheet of a workbook. JSON files are read
twice, because their headers (the union of the keys) are only known at the end.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whence.kernel.errors import Invalid

from . import csv_rows, json_rows, sheets
from .encodings import encoding_of
from .layout import Layout
from .raw import BadLine, Meter, RawRow, open_text

MAX_COLUMNS = 1_000
"""More headers than this is not a table of records (a transposed or a broken file)."""

MIN_TEXT = 0.95
"""Share of the first bytes that are no control characters; about 0.9 in random bytes."""
_NO_TEXT = bytes({*range(1, 32)} - set(b"\t\n\v\f\r\x1a\x1b"))
_OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"
_ARCHIVE = b"PK\x03\x04"
_WORKBOOKS = {".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"}
_NOT_A_TABLE = {
    _ARCHIVE: "a ZIP archive; unpack it first",
    b"\x1f\x8b": "a gzip archive; unpack it first",
    b"%PDF": "a PDF",
    b"\x89PNG": "an image (PNG), not a table",
    b"\xff\xd8\xff": "an image (JPEG), not a table",
    b"GIF8": "an image (GIF), not a table",
    b"RIFF": "an image, sound or video (RIFF), not a table",
    b"II*\0": "an image (TIFF), not a table",
    b"MM\0*": "an image (TIFF), not a table",
}
_JSON_SUFFIXES = {".json", ".jsonl", ".ndjson"}


@dataclass(frozen=True)
class Table:
    """An opened file: its headers are known, its rows are read as they are asked for."""

    path: Path
    format: str
    """`csv`, `jsonl`, `json` or `workbook`."""
    encoding: str
    headers: tuple[str, ...]
    notes: tuple[str, ...]
    rows: Iterator[RawRow | BadLine]
    meter: Meter
    """How far it was read."""


def open_table(path: Path, layout: Layout | None = None) -> Table:
    """The table in `path`.

    Raises `Invalid`, naming the file and the fix, when it is missing, empty, not text, or has no
    header; a bad row never raises, it arrives as a `BadLine`.
    """
    layout = layout or Layout()
    try:
        meter = Meter(total=path.stat().st_size)
        if _is_workbook(path):
            headers, rows, notes = sheets.read(path, layout, meter)
            form, encoding = "workbook", "utf-8"
        else:
            _check_text(path)
            encoding, notes = encoding_of(path)
            start = _first_characters(path, encoding)
            if not start:
                raise Invalid(f"{path.name} is empty; it needs a header line and rows.")
            form = _format(start, path.suffix.lower())
            if form == "csv":
                headers, rows, more = csv_rows.read(path, encoding, layout, meter)
            else:
                is_array = form == "json"
                headers, rows, more = json_rows.read(
                    path, encoding, meter, is_array=is_array, known=layout.known
                )
            notes = (*notes, *more)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Invalid(f"{path} cannot be read: {reason}.") from error
    if not headers:
        bad = next(rows, None)
        why = f" Line {bad.line}: {bad.reason}" if isinstance(bad, BadLine) else ""
        why += f" {json_rows.ACCEPTED}" if form.startswith("json") else ""
        raise Invalid(f"{path.name} holds no header and no JSON object to read.{why}")
    if len(headers) > MAX_COLUMNS:
        raise Invalid(f"{path.name} has {len(headers)} columns; at most {MAX_COLUMNS} are read.")
    return Table(path, form, encoding, headers, notes, rows, meter)


def may_be_workbook(head: bytes) -> bool:
    """Whether a file that begins like this may be one that is held in memory."""
    return head.startswith((_OLD_WORKBOOK, _ARCHIVE))


def _is_workbook(path: Path) -> bool:
    """Whether calamine reads it. Raises `Invalid` for files that are no tables at all."""
    with path.open("rb") as file:
        head = file.read(8)
    if head.startswith(_OLD_WORKBOOK):
        return True
    if head.startswith(_ARCHIVE) and (path.suffix.lower() in _WORKBOOKS or _holds_sheets(path)):
        return True
    for magic, meaning in _NOT_A_TABLE.items():
        if head.startswith(magic):
            raise Invalid(f"{path.name} is {meaning}.")
    return False


def _check_text(path: Path) -> None:
    """Refuse a file of bytes that no text holds. NUL may occur: UTF-16 has it in most letters."""
    with path.open("rb") as file:
        head = file.read(4096)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return
    if len(head.translate(None, _NO_TEXT)) < len(head) * MIN_TEXT:
        raise Invalid(f"{path.name} is not a table: much of it is not text.")


def _holds_sheets(path: Path) -> bool:
    """Whether an archive of any name is a workbook inside: exports are often misnamed."""
    with path.open("rb") as file:
        head = file.read(4096)
    return b"[Content_Types].xml" in head or b"opendocument.spreadsheet" in head


def _first_characters(path: Path, encoding: str) -> str:
    with open_text(path, encoding) as file:
        while chunk := file.read(4096):
            if text := chunk.strip("\0 \t\r\n\ufeff"):
                return text
    return ""


def _format(start: str, suffix: str) -> str:
    """By content first: exports are often misnamed. No CSV header begins with `[{`."""
    if start[0] == "{":
        return "jsonl"
    if start[0] == "[" and (suffix in _JSON_SUFFIXES or start[1:].lstrip()[:1] in {"{", "]"}):
        return "json"
    return "jsonl" if suffix in _JSON_SUFFIXES else "csv"
