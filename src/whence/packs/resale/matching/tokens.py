"""Split titles into words, in the same way for the scorer and the search index.

Marketplace titles are noisy: shop names after a bar, language tags, HTML entities, codes written
with and without hyphens, `32 gb` beside `32GB`.
"""

from __future__ import annotations

import html
import re
import unicodedata

from whence.sdk.text import PLAIN_LETTERS

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u2122\u00ae\u00a9\u2022\u00b7\u00b0\ufffd", " "),
        **dict.fromkeys("\u201c\u201d\u2033", '"'),
        "\u2019": "'",
        "\u00d7": "x",
    }
)
"""Dashes, marks and quotes beyond ASCII: dropped, they would glue `70\u2013300mm` to one number."""
_LANGUAGE_TAG = re.compile(r'"?@[a-z]{2}(?:-[a-z]{2,4})?(?=\W|$)')
_PAGE = re.compile(r"\bpage \d+\b")
_COUNTRY_SUFFIX = re.compile(r"(?<=[a-z)0-9 ])-(?:us|uk|ca|au)(?=\W|$)")
_SHOP_DOMAIN = re.compile(r"\b[\w-]+\.(?:com|net|org|co\.uk|ca|de|eu)\b")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_APOSTROPHE = re.compile(r"(?<=[a-z]) ?['’`](?=s\b)")
_INCHES = re.compile(r"(?<=\d)(?:''|\"|″|”)(?=[\s,)x-]|$)")

UNITS = {
    "gb": "gb", "gig": "gb", "gigabyte": "gb", "gigabytes": "gb", "gbyte": "gb",
    "tb": "tb", "terabyte": "tb", "mb": "mb", "megabyte": "mb", "megabytes": "mb", "kb": "kb",
    "in": "inch", "inch": "inch", "inches": "inch", "mm": "mm", "cm": "cm", "ft": "ft",
    "foot": "ft", "feet": "ft", "m": "m", "yd": "yd", "yard": "yd",
    "mp": "mp", "megapixel": "mp", "megapixels": "mp", "mpix": "mp", "mega": "mp",
    "x": "x", "pack": "pk", "pk": "pk", "pc": "pk", "pcs": "pk", "count": "pk", "ct": "pk",
    "piece": "pk", "pieces": "pk", "sheets": "pk", "user": "user", "users": "user",
    "v": "volt", "volt": "volt", "volts": "volt", "w": "watt", "watt": "watt", "watts": "watt",
    "mah": "mah", "va": "va", "hz": "hz", "mhz": "mhz", "ghz": "ghz", "rpm": "rpm",
    "oz": "oz", "lb": "lb", "lbs": "lb", "g": "g", "kg": "kg", "ml": "ml", "l": "l",
    "pin": "pin", "port": "port", "ports": "port", "channel": "ch", "ch": "ch", "bit": "bit",
    "hp": "hp", "cu": "cu", "page": "page", "pages": "page", "eu": "eu",
}  # fmt: skip
"""Spellings of a unit after a number, mapped to one name each."""


def plain(text: str) -> str:
    """Lower case, without accents, HTML entities, language tags and web-shop domains."""
    text = html.unescape(html.unescape(text)).translate(_SIGNS)
    text = unicodedata.normalize("NFKD", text).translate(PLAIN_LETTERS)
    text = text.encode("ascii", "ignore").decode().lower()
    text = _LANGUAGE_TAG.sub(" ", text)
    text = _SHOP_DOMAIN.sub(" ", text)
    text = _PAGE.sub(" ", text)
    text = _COUNTRY_SUFFIX.sub(" ", text)
    text = _THOUSANDS.sub("", text)
    text = _APOSTROPHE.sub("", text)
    return _INCHES.sub(" inch ", text)


_PIECE = re.compile(r"\d+\.\d+|[a-z0-9]+")
_COMPOUND = re.compile(r"(?<![a-z0-9])[a-z0-9]++(?:[-/.][a-z0-9]++)+")
_SEPARATOR = re.compile(r"[-/.]")
_CODE_PREFIX_MAX = 4
"""Letters before a number that still read as a model (`pls-13`), not as a word (`version-2`)."""
_LONG_PREFIX_MAX = 6
"""The same before a number of at least three digits that is not a year (`afhgm-001`)."""
_NUMBERED_LETTER = re.compile(r"\d{3,}[a-z]")
"""A letter after such a number belongs to a model, not to litres or metres: `dcs-2230l`."""
_UNIT_NAMES = frozenset(UNITS.values())
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_MEASURE = re.compile(r"(\d+(?:\.\d+)?)([a-z]+)")
_LOOSE_UNITS = frozenset({"m", "l", "g", "v", "w", "x", "in", "hp", "cu", "eu", "page", "pages"})
"""Units that are ordinary words or letters if separated from the number."""
_MAX_WORDS = 400
"""Most words read of a text: more cost time and add nothing."""


def number(text: str) -> str:
    """`2.0`, `2` and `02.00` are one number."""
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text


def words(text: str) -> list[str]:
    """The words of a text in order, with numbers joined to their units (`32 GB` is `32gb`)."""
    tokens: list[str] = []
    pieces = _PIECE.findall(plain(text))[:_MAX_WORDS]
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        at += 1
        if _NUMBER.fullmatch(piece):
            after = pieces[at] if at < len(pieces) else ""
            unit = UNITS.get(after)
            if unit is not None and after not in _LOOSE_UNITS:
                tokens.append(number(piece) + unit)
                at += 1
            else:
                tokens.append(number(piece))
            continue
        measure = _MEASURE.fullmatch(piece)
        if measure is not None and measure[2] in UNITS:
            tokens.append(number(measure[1]) + UNITS[measure[2]])
        else:
            tokens.append(_singular(piece))
    return tokens


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and word.isalpha() and not word.endswith("ss"):
        return word[:-1]
    return word


def compounds(text: str) -> list[str]:
    """Codes written with separators, joined: `DCS-6045LKT` is `dcs6045lkt`.

    Sizes and ranges (`20.1-megapixel`, `70-200mm`, `24x7`) are not codes.
    """
    return [
        "".join(parts)
        for parts in (_SEPARATOR.split(compound) for compound in _COMPOUND.findall(plain(text)))
        if _spells_code(parts)
    ]


def is_measure(word: str) -> bool:
    """A number with a unit, as `words` writes it: `32gb`, `13.3inch`."""
    match = _MEASURE.fullmatch(word)
    return match is not None and (match[2] in UNITS or match[2] in _UNIT_NAMES)


def is_year(digits: str) -> bool:
    """A number from 1950 to 2035, which names a year rather than a model."""
    return len(digits) == 4 and 1950 <= int(digits) <= 2035


def _spells_code(parts: list[str]) -> bool:
    if sum(map(len, parts)) < 4:
        return False
    for at, part in enumerate(parts):
        before = parts[at - 1] if at else ""
        letters = len(before) if before.isalpha() else 0
        if part.isdigit():
            telling = len(part) >= 3 and not is_year(part)
            if 0 < letters <= (_LONG_PREFIX_MAX if telling else _CODE_PREFIX_MAX):
                return True
        elif not part.isalpha() and (
            not is_measure(part)
            or (0 < letters <= _CODE_PREFIX_MAX and _NUMBERED_LETTER.fullmatch(part))
        ):
            return True
    return False


def terms(text: str) -> list[str]:
    """Distinct index terms of a text, in order: its words and its joined codes."""
    return list(dict.fromkeys([*words(text), *compounds(text)]))
