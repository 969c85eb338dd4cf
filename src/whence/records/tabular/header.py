"""Which row is the header: rows above it are titles or junk, and some files have none."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence

from .raw import shorten

MAX_HEADER = 200
"""Characters of a header that count; a longer one is a sentence or an attack."""
ROWS_LOOKED_AT = 30
"""A header further down is not found: what stands above it is no preamble."""
MAX_NOTES = 5
_NUMBER_SIGN = re.compile(r"(?<=[^\W_])\s*#\s*$")
_BRACKETS = re.compile(r"[(\[].*?[)\]]")


def header_key(header: str) -> str:
    """Letters and digits only, lower case: `itemTitle`, `Item_Title` and `ITEM TITLE` are one.

    `Stock #` is `Stock number`, and accents of Latin letters do not count.
    """
    text = unicodedata.normalize("NFKC", _BRACKETS.sub(" ", header[:MAX_HEADER]))
    text = _NUMBER_SIGN.sub(" number", text)
    return "".join(_plain(letter) for letter in text.casefold() if letter.isalnum())


def _plain(letter: str) -> str:
    """A Latin letter without its accent; letters of other scripts stay, where marks are letters."""
    base = unicodedata.normalize("NFD", letter)[0]
    return base if base.isascii() else letter


def header_position(rows: Sequence[Sequence[object]], known: Collection[str]) -> int | None:
    """Which of the first rows is the header: the one with the most known headers.

    `known` are header keys. Without any known header, the first row that is not blank; None where
    all of them are blank. A row further down wins only with two known headers or more.
    """
    filled = [at for at, row in enumerate(rows) if any(not _is_blank(cell) for cell in row)]
    if not filled:
        return None
    scores = {at: known_headers(rows[at], known) for at in filled[:ROWS_LOOKED_AT]}
    best = max(scores, key=lambda at: (scores[at], -at))
    first = filled[0]
    return best if scores[best] >= 2 and scores[best] > scores[first] else first


def known_headers(row: Sequence[object], known: Collection[str]) -> int:
    """How many different known headers stand in a row."""
    return len({key for cell in row if (key := header_key(str(cell or ""))) in known})


def unique_headers(cells: Sequence[object]) -> tuple[tuple[str, ...], list[str]]:
    """Names of the columns, and notes; a header that appears again is numbered, `price (2)`."""
    names: dict[str, None] = {}
    columns: list[str] = []
    times: Counter[str] = Counter()
    for cell in cells:
        base = name = " ".join(str("" if cell is None else cell).split()).lstrip("\ufeff*").strip()
        while name and name in names:
            times[base] += 1
            name = f"{base} ({times[base] + 1})"
        names[name] = None
        columns.append(name)
    return tuple(columns), [
        f"The header {shorten(base)!r} appears {count + 1} times; "
        f"the later columns are numbered, as in {shorten(f'{base} (2)')!r}."
        for base, count in times.most_common(MAX_NOTES)
    ]


def given_headers(names: Sequence[str], rows: Sequence[Sequence[object]]) -> tuple[str, ...]:
    """The headers of a file that has none: the names go to the columns that hold anything.

    `rows` are the first rows of the file. Columns that are blank in all of them stay unnamed.
    """
    width = max(map(len, rows), default=0)
    if width == len(names):
        return tuple(names)
    filled = (
        at for at in range(width) if any(at < len(row) and not _is_blank(row[at]) for row in rows)
    )
    by_column = dict(zip(filled, names, strict=False))
    return tuple(by_column.get(at, "") for at in range(width))


def _is_blank(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())
