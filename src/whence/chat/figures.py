"""Figures in a text, compared as numbers: 1,200 is 1200.00, $1.2k and 1.2 thousand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Written:
    """A figure as it stands in a text, with the numbers that it may mean."""

    text: str
    start: int
    end: int
    readings: frozenset[Fraction]


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def figures(text: str) -> list[Written]:
    """The figures of a text, in order."""
    return [
        Written(
            match[0], match.start(), match.end(), frozenset({Fraction(match[0].replace(",", ""))})
        )
        for match in _NUMBER.finditer(text)
        if match[0].count(".") <= 1
    ]


def _read(text: str) -> frozenset[Fraction]:
    return frozenset({Fraction(text.replace(",", ""))})
