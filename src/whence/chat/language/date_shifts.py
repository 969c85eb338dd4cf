"""Days moved by a span, in a person's words: `push the end out two weeks`, `a week earlier`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from whence.kernel.dates import moved
from whence.kernel.errors import Invalid
from whence.kernel.text import quoted
from whence.kernel.words import NUMBERS

_COUNTS = {
    **{word: number for number, word in enumerate(NUMBERS)},
    "a": 1,
    "an": 1,
    "another": 1,
    "a couple of": 2,
    "couple of": 2,
    "one more": 1,
    "eleven": 11,
    "twelve": 12,
    "fifteen": 15,
    "thirty": 30,
}
_SPAN = re.compile(
    rf"\b(?P<count>\d{{1,3}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})"
    r"(?:\s+(?:more|full|extra|additional|further))?[\s-]+(?P<unit>day|week|fortnight|month|year)s?\b",
    re.I,
)
_LATER = re.compile(
    r"\b(?:later|longer|extra|more|postpone\w*|delay\w*|defer\w*|extend\w*|prolong\w*|lengthen\w*|"
    r"add|adding|out|push\w* (?:\S+ ){0,4}back)\b",
    re.I,
)
_EARLIER = re.compile(
    r"\b(?:earlier|sooner|shorter|shorten\w*|less|off|(?:bring|move|pull)\w* (?:\S+ ){0,4}"
    r"(?:forward|up|in|ahead)|cut\w*|trim\w*|subtract\w*|take)\b",
    re.I,
)
_MOVES = re.compile(
    r"\b(?:move|shift|slide|push|pull|bring|change|adjust|reschedule|delay|defer|postpone|extend|"
    r"prolong|lengthen|shorten|cut|trim|add|subtract|take|make|start|end|finish|begin)\w*\b|"
    r"\b(?:later|earlier|sooner|longer|shorter)\b",
    re.I,
)
_NO_SHIFT = re.compile(
    r"\b(?:in|within|for|per|every|last|next|past|of) \S+ (?:more )?(?:day|week|fortnight|month|"
    r"year)s?\b(?! (?:earlier|later|sooner|longer|shorter))|\bago\b|\bfrom (?:now|today)\b|"
    r"\b(?:day|week|month|year)s? (?:before|after)\b(?!\W*\Z)|"
    r"(?:\d|\b(?:hours?|hrs?|days?|times?|off)) (?:an?|per) (?:day|week|month|year)\b",
    re.I,
)
"""A day (`in two weeks`), a period (`the last 12 months`) or a rate (`8 hours a week`)."""
_LENGTH_ONLY = re.compile(
    r"\b(?:extend|prolong|lengthen|shorten|longer|shorter|cut|trim|add|subtract|take)\w*\b", re.I
)
_ADDED = re.compile(
    r"\banother (?:\w+ )?(?:day|week|fortnight|month|year)s?\b|"
    r"\b\w+ (?:more|extra|additional|further) (?:day|week|fortnight|month|year)s?\b",
    re.I,
)
"""`she needs two more weeks`"""
_START_ONLY = re.compile(
    r"\b(?:to|can|will|should|must|may|might|needs?|has|could|i'?ll|she'?ll|he'?ll)(?: to)? "
    r"(?:go|leave|begin|start|head out)\b|\b(?:starts?|begins?|goes|starting|beginning|leaving)\b",
    re.I,
)
_FORTNIGHT = 2


@dataclass(frozen=True)
class DateShift:
    """A span by which days move."""

    count: int
    unit: str
    later: bool | None
    """None if the words do not tell the direction: `move it by a week`."""
    length_only: bool
    """Only the end moves where no day is named: `extend it by a month`."""
    words: str
    start_only: bool = False
    """Only the first day moves: `she wants to go two weeks earlier`."""

    def apply(self, day: date) -> date:
        """The day moved; Invalid if the direction is open."""
        if self.later is None:
            raise Invalid(
                f"Does {quoted(self.words)} mean earlier or later? Say “{self.count} "
                f"{self.unit}{'s' if self.count > 1 else ''} later”, for example."
            )
        try:
            return moved(day, self.count if self.later else -self.count, self.unit)
        except (ValueError, OverflowError) as error:
            raise Invalid(f"There is no such day {quoted(self.words)} from {day}.") from error


def date_shift(words: str) -> DateShift | None:
    """The span by which the words move a day; None if they move none: `in two weeks` is a day."""
    span = _SPAN.search(words)
    added = _ADDED.search(words) is not None
    if span is None or not (added or _MOVES.search(words)) or _NO_SHIFT.search(words):
        return None
    number = span["count"].lower()
    count, unit = int(_COUNTS.get(number, number)), span["unit"].lower()
    if unit == "fortnight":
        count, unit = count * _FORTNIGHT, "week"
    later, earlier = _LATER.search(words), _EARLIER.search(words)
    direction = None if (later is None) == (earlier is None) else later is not None
    if direction is None and re.search(r"\b(?:earlier|sooner|later)\b", words, re.I):
        direction = re.search(r"\blater\b", words, re.I) is not None
    if added and direction is None and earlier is None:
        direction = True
    length_only = added or _LENGTH_ONLY.search(words) is not None
    start_only = not length_only and _START_ONLY.search(words) is not None
    return DateShift(count, unit, direction, length_only, words.strip(), start_only)
