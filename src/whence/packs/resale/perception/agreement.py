"""Decide whether the readings of a code agree well enough to accept it.

Every rule prefers "unread": an unread code costs a question, a wrong one a wrong price.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .bars import LineReading
from .symbols import Symbology, is_price_line
from .views import Sighting

MIN_FIT = 0.88
"""Minimum correlation of a line with its drawing (measured: misread lines reach 0.84)."""
MIN_MARGIN = 0.05
"""Minimum lead of every digit over its runner-up, in correlation."""
MIN_LINES = 2
"""Lines that must read the same digits for the drawing matcher to count."""
MANY_LOOKS = 3
"""Different readings by zxing-cpp that count as proof if the drawing matcher reads nothing."""

BARS = "bars matched"
PRINTED = "printed digits"
PART_PRINTED = "part of the printed digits"
ENOUGH_DIGITS = 6
"""Consecutive printed digits that confirm a matched drawing; the chance of a coincidence is one in
a million."""

SHORT = frozenset({Symbology.EAN_8, Symbology.UPC_E})
"""Symbologies that part of a longer code can be mistaken for."""


@dataclass
class Doubt:
    """What is known about a code at one place, until it is accepted or dropped."""

    place: Sighting
    looks: list[str] = field(default_factory=list)
    lines: Mapping[str, int] = field(default_factory=dict[str, int])
    """The number of scan lines per digits that the drawing matcher read there."""
    quiet: bool = False
    """Whether the margins beside the code are blank."""

    def note(self, look: str) -> None:
        """Add a look that read this code; the same look counts once."""
        if look not in self.looks:
            self.looks.append(look)


def good_lines(readings: Sequence[LineReading]) -> dict[str, int]:
    """The number of lines per digits, counting only lines that fit well."""
    counts: dict[str, int] = {}
    for line in readings:
        if line.digits is not None and line.fit >= MIN_FIT and line.margin >= MIN_MARGIN:
            counts[line.digits] = counts.get(line.digits, 0) + 1
    return counts


def looks_agreeing(key: str, doubts: Mapping[str, Doubt]) -> tuple[str, ...]:
    """The looks that prove the code `key`; empty if there are too few."""
    doubt = doubts[key]
    mine = doubt.lines.get(key, 0)
    others = sum(doubt.lines.values()) - mine
    matched = mine >= MIN_LINES and mine > 2 * others
    contradicted = others >= MIN_LINES and not matched
    rivals = [
        rival
        for other, rival in doubts.items()
        if other != key and rival.place.overlaps(doubt.place) and not _of_one_book(key, other)
    ]
    short = doubt.place.symbology in SHORT
    inside_longer = any(rival.place.symbology not in SHORT for rival in rivals)
    if not doubt.looks or contradicted or (short and (inside_longer or not doubt.quiet)):
        return ()
    seen = tuple(doubt.looks)
    if matched:
        return (*seen, BARS)
    if PRINTED in seen and len(seen) > 1:
        return seen
    edges = [look for look in seen if look != PART_PRINTED]
    return seen if len(edges) >= MANY_LOOKS and not rivals and not short else ()


def believed(doubts: Mapping[str, Doubt]) -> list[str]:
    """The codes that are accepted so far."""
    return [key for key in doubts if looks_agreeing(key, doubts)]


def settled(doubts: Mapping[str, Doubt]) -> bool:
    """Whether a code is accepted and no code at another place is still in doubt.

    A price line settles nothing: the ISBN is above it.
    """
    known = believed(doubts)
    places = [doubts[key].place for key in known]
    return not all(map(is_price_line, known)) and all(
        any(doubt.place.overlaps(place) for place in places) for doubt in doubts.values()
    )


def _of_one_book(one: str, other: str) -> bool:
    """Whether these are the ISBN and the price line of a book: they stand so close together that
    they seem to be at one place."""
    return any(
        is_price_line(line) and len(isbn) == 13 and isbn[:3] in {"978", "979"}
        for line, isbn in ((one, other), (other, one))
    )


def how_printed(code: str, texts: Sequence[str]) -> str | None:
    """Which look the printed texts count as: all digits of the code, part of them, or none (None).

    `texts` are printed around the code, left to right.  The ISBN-10 of a book's code counts as all.
    """
    wanted = {code, code[1:]} if len(code) == 13 and code.startswith("0") else {code}
    printed = [_digits(text) for text in texts]
    if wanted & {*printed, "".join(printed)}:
        return PRINTED
    for text, digits in zip(texts, printed, strict=True):
        isbn = "ISBN" in text.upper() and len(digits) in {9, 10}
        if isbn and code.startswith("978") and digits[:9] == code[3:12]:
            return PRINTED
    if any(len(digits) >= ENOUGH_DIGITS and digits in code for digits in printed):
        return PART_PRINTED
    return None


def _digits(text: str) -> str:
    return "".join(letter for letter in text if letter in "0123456789")
