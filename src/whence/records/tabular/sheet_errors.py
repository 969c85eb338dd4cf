"""Which cells of a worksheet show an error: calamine hands those on as empty ones.

Only xlsx and xlsm say it in a form that is read here. OpenDocument writes the error as text; in the
older binary formats (xls, xlsb) such a cell counts as empty.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

CHUNK_BYTES = 1 << 20
MAX_INDEX_BYTES = 10_000_000
"""Of a part that lists the sheets."""
MAX_ERRORS = 100_000
"""More errors than this are a broken workbook; the rest counts as empty."""
_ERROR_CELL = re.compile(
    rb'<c\b(?=[^>]*\bt="e")[^>]*\br="([A-Z]{1,3})([0-9]{1,7})"[^>]*>(?:(?!</c>).)*?<v>(#[^<]{1,20})<',
    re.DOTALL,
)
_SHEET = re.compile(r"<(?:\w+:)?sheet\b[^>]*>")
_RELATION = re.compile(r"<(?:\w+:)?Relationship\b[^>]*>")


def error_cells(path: Path, sheet: str) -> Mapping[tuple[int, int], str]:
    """Row and column (both from 1) of every cell with an error, and the error's code."""
    if not zipfile.is_zipfile(path):
        return {}
    with zipfile.ZipFile(path) as archive:
        part = _part(archive, sheet)
        return _scan(archive, part) if part in archive.namelist() else {}


def _scan(archive: zipfile.ZipFile, part: str) -> dict[tuple[int, int], str]:
    errors: dict[tuple[int, int], str] = {}
    rest = b""
    with archive.open(part) as file:
        while (chunk := file.read(CHUNK_BYTES)) and len(errors) < MAX_ERRORS:
            rest += chunk
            whole = rest.rfind(b"</row>") + 1 or len(rest)
            for cell in _ERROR_CELL.finditer(rest, 0, whole):
                errors[int(cell[2]), _column(cell[1])] = cell[3].decode("ascii", "replace")
            rest = rest[whole:][-CHUNK_BYTES:]
    return errors


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _part(archive: zipfile.ZipFile, sheet: str) -> str:
    """The archive's part that holds a sheet; empty where that cannot be told."""
    names = archive.namelist()
    if "xl/workbook.xml" not in names or "xl/_rels/workbook.xml.rels" not in names:
        return ""
    workbook = _text(archive, "xl/workbook.xml")
    relations = _text(archive, "xl/_rels/workbook.xml.rels")
    targets = {_value(tag, "Id"): _value(tag, "Target") for tag in _RELATION.findall(relations)}
    for tag in _SHEET.findall(workbook):
        if _value(tag, "name") == sheet:
            target = targets.get(_value(tag, r"\w+:id"), "")
            return (
                target.lstrip("/") if target.startswith("/") else str(PurePosixPath("xl") / target)
            )
    return ""


def _text(archive: zipfile.ZipFile, part: str) -> str:
    with archive.open(part) as file:
        return file.read(MAX_INDEX_BYTES).decode("utf-8", "replace")


def _value(tag: str, name: str) -> str:
    match = re.search(rf'\s{name}="([^"]*)"', tag)
    if match is None:
        return ""
    text = match[1]
    for entity, letter in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'")):
        text = text.replace(entity, letter)
    return text.replace("&amp;", "&")
