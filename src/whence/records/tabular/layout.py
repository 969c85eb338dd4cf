"""What a reader of tables knows beforehand of the files it will meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Layout:
    """Helps `open_table` find the header, and the sheet of a workbook."""

    known: frozenset[str] = frozenset()
    """Header keys that the reader understands (see `header_key`); the header has some of them."""
    headers_if_none: Sequence[str] = ()
    """The usual columns in their order, for a file without a header."""
    sheet: str | None = None
    """The sheet of a workbook; without one, the first visible sheet with known headers."""
