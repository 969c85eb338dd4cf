"""Figures in a text, compared as numbers: 1,200 is 1200.00, $1.2k is 1,200 and 17⅓ is 17 1/3."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from whence.chat.language.number_words import NumberInWords, numbers_in_words
from whence.kernel.dates import dates

MAX_ROUNDING = Fraction(1, 20)
"""Of a rounded figure: `about 1,000` does not stand for 1,200, however many zeros it has."""

MAX_DIGITS = 40
"""A longer row of digits is a code, and Python reads no number of more than 4,300."""


@dataclass(frozen=True)
class Figure:
    """A figure as it stands in a text."""

    text: str
    start: int
    end: int
    readings: tuple[tuple[Fraction, Fraction], ...]
    """(number, half of what its last digit stands for); several where it may be read in ways."""
    about: bool
    """Said to be rounded: `about 40`, `~40`."""

    def among(self, numbers: frozenset[Fraction]) -> bool:
        """Whether it is one of these numbers, or, if said to be rounded, rounds one of them."""
        if any(number in numbers for number, _ in self.readings):
            return True
        return self.about and any(
            abs(number - other) <= min(half, number * MAX_ROUNDING)
            for number, half in self.readings
            for other in numbers
        )


_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_ANY_DIGIT = re.compile(rf"[\d{_VULGAR}]")
_DIGITS = r"\d{1,3}(?:[\u00a0\u202f'’]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)*"
_BODY = rf"""
    (?: (?P<whole>\d+)[ ]+(?=\d+/\d) )? (?P<over>\d+)/(?P<under>\d+)(?![/\d])
  | (?P<number>{_DIGITS})? (?P<vulgar>[{_VULGAR}])
  | (?P<plain>{_DIGITS})
    (?: [ ]?(?P<times>thousand|million|billion|bn|mn|[kKmM])(?![\w]) )?
"""
_PERCENT = r"(?P<percent>[\s\u00a0]?(?:%|percent\b|per\s+cent\b))?"
_ALONE = re.compile(
    rf"(?:(?<![\w.])(?<![A-Za-z]-)|(?<=USD)|(?<=EUR)|(?<=GBP))(?:{_BODY}){_PERCENT}", re.X
)
_ANYWHERE = re.compile(rf"(?<!\d)(?:{_BODY}){_PERCENT}", re.X)
"""Figures inside identifiers too (`KSM150`): what a source has may be cited by its parts."""
_ABOUT = re.compile(
    r"(?:about|around|roughly|approximately|approx\.?|nearly|almost|some|circa|ca\.|close to|~|≈)"
    r"\s*(?:USD|EUR|GBP|[$€£])?\s*$",
    re.I,
)
_IN_PERCENT = re.compile(r"\s?(?:%|percent\b|per\s+cent\b)")
_TIMES = {"k": 10**3, "thousand": 10**3, "m": 10**6, "mn": 10**6, "million": 10**6}
_LARGE = {"bn": 10**9, "billion": 10**9}
_AMBIGUOUS = frozenset({"k", "m"})
"""`4K` and `5 m` may be a resolution and metres."""


def figures(text: str, *, anywhere: bool = False) -> list[Figure]:
    """The figures of a text, in order, without those of its dates.

    A digit inside an identifier is none, unless `anywhere`.  Words are figures too, but for `one`.
    """
    in_words = [
        _spelled(each, text) for each in numbers_in_words(text) if each.text.lower() != "one"
    ]
    if _ANY_DIGIT.search(text) is None:
        return in_words
    without_dates = text
    for date in dates(text):
        blank = " " * (date.end - date.start)
        without_dates = f"{without_dates[: date.start]}{blank}{without_dates[date.end :]}"
    numerals: list[Figure] = []
    for match in (_ANYWHERE if anywhere else _ALONE).finditer(without_dates):
        start, end = match.span()
        about = _ABOUT.search(text, max(0, start - 24), start) is not None
        readings = tuple(_readings(match, european=anywhere, about=about))
        numerals.append(Figure(match[0].strip(), start, end, readings, about))
    return sorted([*numerals, *in_words], key=lambda each: each.start) if in_words else numerals


def numbers_of(text: str) -> frozenset[Fraction]:
    """Every number that a source's text has, in every way in which it may be read."""
    all_figures = figures(text, anywhere=True)
    years = {Fraction(year) for date in dates(text) for year, _, _ in date.readings if year}
    return frozenset({number for each in all_figures for number, _ in each.readings}) | years


def _spelled(number: NumberInWords, text: str) -> Figure:
    """A number in words; `twenty percent` is 0.2 too."""
    about = _ABOUT.search(text, max(0, number.start - 24), number.start) is not None
    percent = _IN_PERCENT.match(text, number.end)
    parts = (1, 100) if percent else (1,)
    readings = tuple(
        (value / part, _unit(str(value), value, about=about) / part / 2)
        for value in number.readings
        for part in parts
    )
    return Figure(number.text, number.start, number.end, readings, about)


def _readings(
    match: re.Match[str], *, european: bool, about: bool
) -> Iterator[tuple[Fraction, Fraction]]:
    hundredths = (1, 100) if match["percent"] else (1,)
    for number, unit in _values(match, european=european, about=about):
        for part in hundredths:
            yield number / part, unit / part / 2


def _values(
    match: re.Match[str], *, european: bool, about: bool
) -> Iterator[tuple[Fraction, Fraction]]:
    if match["under"]:
        short = len(match[0]) <= MAX_DIGITS
        if short and int(match["under"]):
            whole = int(match["whole"] or 0)
            yield whole + Fraction(int(match["over"]), int(match["under"])), Fraction(0)
        return
    if match["vulgar"]:
        part = Fraction(unicodedata.numeric(match["vulgar"])).limit_denominator(10)
        wholes = read_number(match["number"]) if match["number"] else [Fraction(0)]
        yield from ((whole + part, Fraction(0)) for whole in wholes)
        return
    word = (match["times"] or "").lower()
    times = (_TIMES | _LARGE).get(word, 1)
    for number in read_number(match["plain"], european=european):
        unit = _unit(match["plain"], number, about=about)
        yield number * times, unit * times
        if word in _AMBIGUOUS:
            yield number, unit


def read_number(text: str, *, european: bool = False) -> list[Fraction]:
    """What digits with separators may mean; none for a version such as 1.2.3.

    `1,200` is twelve hundred and `1.200` is 1.2, and twelve hundred too where `european`.
    """
    digits = re.sub(r"[\u00a0\u202f'’]", "", text)
    if len(digits) > MAX_DIGITS:
        return []
    parts = re.split(r"[.,]", digits)
    separators = re.findall(r"[.,]", digits)
    grouped = len(parts[0]) <= 3 and parts[0] != "0" and all(len(each) == 3 for each in parts[1:])
    if not separators:
        return [Fraction(digits)]
    whole, decimals = "".join(parts[:-1]), parts[-1]
    if len(set(separators)) == 2:
        once = separators.count(separators[-1]) == 1 and separators[-1] != separators[0]
        groups = all(len(each) == 3 for each in parts[1:-1])
        readings = [Fraction(f"{whole}.{decimals}")] if once and groups else []
    elif len(separators) > 1:
        readings = [Fraction("".join(parts))] if grouped else []
    elif grouped and separators[0] == ",":
        readings = [Fraction(whole + decimals)]
    else:
        readings = [Fraction(f"{whole}.{decimals}")]
        readings += [Fraction(whole + decimals)] if grouped and european else []
    return readings


def occurs_in(figure: Figure, texts: Sequence[str], numbers: frozenset[Fraction]) -> bool:
    """Whether a figure is among the numbers of some texts, or stands there letter for letter."""
    if figure.among(numbers):
        return True
    whole = re.compile(rf"(?<![\d.,]){re.escape(figure.text)}(?![.,]?\w)")
    return any(whole.search(text) for text in texts)


def _unit(written: str, number: Fraction, *, about: bool) -> Fraction:
    """What the last digit of a figure stands for; zeros at the end of a rounded one are none."""
    if number.denominator == 1 and "." not in written:
        zeros = len(str(number.numerator)) - len(str(number.numerator).rstrip("0"))
        return Fraction(10 ** (zeros if about and number else 0))
    return Fraction(1, 10 ** len(re.split(r"[.,]", written)[-1]))
