"""A file as a table: which encoding, which format, which headers, and then its rows, one by one.

Nothing is held in memory but one row at a time. JSON files are read twice, because their headers
(the union of the keys) are only known at the end.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whence.sdk.errors import Invalid

from . import csv_rows, json_rows
from .raw import BadLine, RawRow

CHUNK_BYTES = 1 << 20
MAX_COLUMNS = 1_000
"""More headers than this is not a table of items (a transposed or a broken file)."""

_NOT_A_TABLE = {
    b"PK\x03\x04": "an Excel workbook or a ZIP archive; save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook; save the sheet as CSV",
    b"\x1f\x8b": "a gzip archive; unpack it first",
    b"%PDF": "a PDF",
}
_JSON_SUFFIXES = {".json", ".jsonl", ".ndjson"}


@dataclass(frozen=True)
class Table:
    """An opened file: its headers are known, its rows are read as they are asked for."""

    path: Path
    format: str
    """`csv`, `jsonl` or `json`."""
    encoding: str
    headers: tuple[str, ...]
    notes: tuple[str, ...]
    rows: Iterator[RawRow | BadLine]


def open_table(path: Path) -> Table:
    """The table in `path`.

    Raises `Invalid`, naming the file and the fix, when it is missing, empty, not text, or has no
    header; a bad row never raises, it arrives as a `BadLine`.
    """
    try:
        encoding, notes = _encoding(path)
        start = _first_characters(path, encoding)
        if not start:
            raise Invalid(f"{path.name} is empty; it needs a header line and rows.")
        form = _format(start, path.suffix.lower())
        if form == "csv":
            headers, rows, more = csv_rows.read(path, encoding)
        else:
            headers, rows, more = json_rows.read(path, encoding, is_array=form == "json")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Invalid(f"{path} cannot be read: {reason}.") from error
    if not headers:
        bad = next(rows, None)
        why = f" Line {bad.line}: {bad.reason}" if isinstance(bad, BadLine) else ""
        why += " Write one object on each line, or one array." if form != "csv" else ""
        raise Invalid(f"{path.name} holds no header and no JSON object to read.{why}")
    if len(headers) > MAX_COLUMNS:
        raise Invalid(f"{path.name} has {len(headers)} columns; at most {MAX_COLUMNS} are read.")
    return Table(path, form, encoding, headers, (*notes, *more), rows)


def _encoding(path: Path) -> tuple[str, tuple[str, ...]]:
    with path.open("rb") as file:
        head = file.read(8)
    for magic, meaning in _NOT_A_TABLE.items():
        if head.startswith(magic):
            raise Invalid(f"{path.name} is {meaning}.")
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16", ()
    bad, good = _utf8_verdict(path)
    if not bad:
        return "utf-8-sig", ()
    if good > bad:
        return "utf-8-sig", (
            f"{bad} bytes are not UTF-8 although the rest is; they are read as '\ufffd'.",
        )
    return "cp1252", ("The file is not UTF-8; it is read as Windows-1252.",)


def _utf8_verdict(path: Path) -> tuple[int, int]:
    """How many bytes are not UTF-8, and how many characters beyond ASCII are."""
    decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
    bad = good = 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            text = decode(chunk)
            if text.isascii():
                continue
            wrong = sum("\udc80" <= letter <= "\udcff" for letter in text)
            bad += wrong
            good += sum(letter > "\x7f" for letter in text) - wrong
    return bad + len(decode(b"", final=True)), good


def _first_characters(path: Path, encoding: str) -> str:
    with path.open(encoding=encoding, errors="replace") as file:
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
