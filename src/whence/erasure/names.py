"""The names under which texts mention something, as a regular expression for PostgreSQL."""

from __future__ import annotations

import re
from collections.abc import Iterable

from whence.kernel.errors import Invalid
from whence.kernel.text import clean

MIN_NAME = 3
"""Characters of a name; shorter ones occur in every other text."""
MAX_NAME = 200
MAX_NAMES = 20
DISTINCT = 6
"""Minimum characters for a name or imported id of several words to be searched within a text;
shorter ones must be the whole text, as in a cell of a table."""
ERASED = "[erased]"
"""Replaces erased text."""
_SPECIAL = re.compile(r"([^\w\s])")


def checked(names: Iterable[str]) -> list[str]:
    """Names given by an owner; raises Invalid."""
    stripped = [" ".join(clean(name).split()) for name in names]
    if len(stripped) > MAX_NAMES or not all(MIN_NAME <= len(n) <= MAX_NAME for n in stripped):
        raise Invalid(f"Give at most {MAX_NAMES} names of {MIN_NAME} to {MAX_NAME} characters.")
    return stripped


def pattern(names: Iterable[str | None], extra: Iterable[str] = ()) -> str:
    """A pattern that matches any of these as whole words, in any case; "" for none.

    `names` are searched within a text only if they are distinct; those an owner has `given` always.
    """
    searched = [name for name in dict.fromkeys(names) if name and len(name) >= MIN_NAME]
    parts = [_within(name) if _is_distinct(name) else _whole(name) for name in searched]
    return "|".join([*parts, *map(_within, extra)])


def _is_distinct(name: str) -> bool:
    return len(name) >= DISTINCT and not name.isalpha()


def _within(name: str) -> str:
    return rf"(?<!\w){_escaped(name)}(?!\w)"


def _whole(name: str) -> str:
    return rf"^\s*{_escaped(name)}\s*$"


def _escaped(name: str) -> str:
    return r"\s+".join(_SPECIAL.sub(r"\\\1", word) for word in name.split())
