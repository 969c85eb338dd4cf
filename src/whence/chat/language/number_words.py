"""Numbers written in words: `two hundred and fifty`, `twenty-five`, `a dozen`, `nineteen ninety`.

What people say in two ways has two readings: `two fifty` is 250 and 2.50.  `one` alone is mostly no
number (`this one`), and whoever looks for figures leaves it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from whence.kernel.words import NUMBERS

_UNITS = NUMBERS[:10]
_TEENS = (
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {
    **{word: number for number, word in enumerate((*_UNITS, *_TEENS))},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
    "fourty": 40,
    "fiver": 5,
    "tenner": 10,
}
_TIMES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}

_ONES = "|".join(_UNITS[1:])
_TEEN = "|".join(_TEENS)
_TEN = f"{'|'.join(_TENS)}|fourty"
_TWO_DIGITS = rf"(?:(?:{_TEN})(?:[ -](?:{_ONES}))?|{_TEEN})"
_SMALL = rf"(?:{_TWO_DIGITS}|{_ONES})"
_HUNDREDS = rf"(?:(?:a|{_SMALL})[ -]hundred(?:[ -](?:and[ -])?{_SMALL})?|{_SMALL})"
_LARGE = rf"(?:(?:a|{_HUNDREDS})[ -](?:{'|'.join(_TIMES)}))"
_PAIR = rf"(?P<first>{_SMALL})[ -](?P<second>{_TWO_DIGITS})"
_DOZEN = rf"(?:a|{_SMALL})[ -]dozen|dozen"
_CARDINAL = rf"(?:{_LARGE}(?:,? (?:and )?{_LARGE})*(?:,? (?:and )?{_HUNDREDS})?|{_HUNDREDS}|zero)"
SPELLED = rf"(?:{_DOZEN}|(?:a )?(?:fiver|tenner)|{_CARDINAL})"
"""A number in words, as a pattern for text in lower case without groups of its own."""
_NUMBER = re.compile(rf"(?<![\w-])(?=[adefnostz])(?:{_PAIR}|{SPELLED})(?!-?\w)(?!\s+hundred)")
_WORD = re.compile(r"[a-z]+")
_NUMBER_WORDS = frozenset({*_VALUES, "hundred", "dozen", *_TIMES} - {"one"})
"""Words without which a text has no number but `one`: most long texts have none of them."""
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
"""Letter by letter, so that places in the text stay where they are."""


@dataclass(frozen=True)
class NumberInWords:
    """A number in words as it stands in a text."""

    text: str
    start: int
    end: int
    readings: tuple[Fraction, ...]


def numbers_in_words(text: str) -> Iterator[NumberInWords]:
    """The numbers in words of a text, in order; none where `one` is the only one."""
    lower = text.translate(_LOWER)
    if _NUMBER_WORDS.isdisjoint(_WORD.findall(lower)):
        return
    for match in _NUMBER.finditer(lower):
        if match["second"]:
            first, second = (_read(match[name]) for name in ("first", "second"))
            readings: tuple[Fraction, ...] = (Fraction(first * 100 + second),)
            if first < 10:
                readings += (first + Fraction(second, 100),)
        else:
            readings = (Fraction(_read(match[0])),)
        yield NumberInWords(text[match.start() : match.end()], *match.span(), readings)


def in_digits(text: str) -> str:
    """A text with its numbers in digits; left as they are: `one`, and what has two readings."""
    out, at = "", 0
    for each in numbers_in_words(text):
        if each.text.lower() != "one" and len(each.readings) == 1:
            out += f"{text[at : each.start]}{each.readings[0]}"
            at = each.end
    return out + text[at:]


def _read(words: str) -> int:
    total = current = 0
    for word in re.split(r"[\s,-]+", words.lower()):
        if word in _TIMES:
            total += max(current, 1) * _TIMES[word]
            current = 0
        elif word in {"hundred", "dozen"}:
            current = max(current, 1) * (100 if word == "hundred" else 12)
        else:
            current += _VALUES.get(word, 0)
    return total + current
