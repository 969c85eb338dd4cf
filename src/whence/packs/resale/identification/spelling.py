"""One name in its many spellings: `QB-700`, `qb700` and `QB 700` are one code."""

from __future__ import annotations

import re
from collections.abc import Iterable

_INSIDE = r"[\W_]{0,2}"
"""What may stand between the characters of a code: a hyphen, a dot, a slash, a space."""
_BETWEEN = r"[\W_]{1,3}"
"""What stands between words: a space, a comma, ` & `."""


def spelling(value: str) -> re.Pattern[str]:
    """Finds a value as words of its own, in any case, and codes with any separators in them.

    A value without letters or digits is found nowhere.
    """
    words = [word for word in value.split() if any(c.isalnum() for c in word)]
    if not words:
        return re.compile(r"(?!)")
    spelt = _BETWEEN.join(map(_word, words))
    return re.compile(rf"(?<![^\W_]){spelt}(?![^\W_])", re.IGNORECASE)


def as_written(code: str, texts: Iterable[str]) -> str:
    """The code as the first text spells it: `k290` is `K2-90` in `Fennmark K2-90 kettle`."""
    written = spelling(code)
    return next((match[0] for text in texts if (match := written.search(text))), code)


def compact(text: str) -> str:
    """Its letters and digits alone, in lower case: one spelling for `QB-700` and `qb 700`."""
    return "".join(c for c in text.lower() if c.isalnum())


def _word(word: str) -> str:
    if any(c.isdigit() for c in word):
        return _INSIDE.join(re.escape(c) for c in word if c.isalnum())
    return re.escape(word)
