"""Rows that sum others up: exports put them below the rows, or between."""

from __future__ import annotations

from collections.abc import Sequence

from .cells import Cells

_WORDS = ("total", "sub total", "subtotal", "grand total", "sum", "summe", "gesamt")


def is_total(cells: Cells, amount: str, *, names: Sequence[str]) -> bool:
    """Whether a row sums others up: an amount, and of `names` none, or the word total alone."""
    if cells.value(amount) is None:
        return False
    texts = [str(value).strip(" :.").lower() for name in names if (value := cells.value(name))]
    return not texts or any(text in _WORDS for text in texts)
