"""One fact of a request: its value, the bounds of a number, or what would have to be known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from math import inf
from typing import TypeVar

from .words import counted

W = TypeVar("W", bound=StrEnum)


@dataclass(frozen=True)
class Fact:
    """What is known of one fact: its value, or the bounds within which a number must lie."""

    fields: tuple[str, ...]
    """The fields of the request that carry it."""
    text: str
    word: str | None = None
    is_true: bool | None = None
    low: float = -inf
    high: float = inf
    missing: tuple[str, ...] = ()
    """Fields that would have to be known."""
    may_be: tuple[str, ...] = ()
    """Words that the choice may turn out to be as well, once `missing` is settled."""
    open_words: str | None = None
    """What would have to be known, where the words for `missing` do not say it."""
    since: date | None = None
    """Where it does not meet a rule yet: the day from which it does."""


def word_fact(field: str, value: W | None, words: Mapping[W, str]) -> Fact:
    """A choice that was stated, or that is not known."""
    if value is None:
        return Fact((field,), "not known", missing=(field,))
    return Fact((field,), words[value], word=value)


def yes_no(field: str, value: bool | None) -> Fact:
    """Yes, no, or not known."""
    if value is None:
        return Fact((field,), "not known", missing=(field,))
    return Fact((field,), "yes" if value else "no", is_true=value)


def exactly(fields: tuple[str, ...], value: float, unit: str) -> Fact:
    """A number that is known."""
    return Fact(fields, counted(value, unit), low=value, high=value)
