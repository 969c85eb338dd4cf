"""Codes in what is written of an item that can be its model: no measure, no size, no other product.

Of `Replacement battery for HX450 18V 4.0Ah` nothing is: `HX450` is what it is for, and the others
are what it has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from whence.packs.resale.matching.profile import looks_like_code
from whence.packs.resale.matching.specifications import specification
from whence.packs.resale.matching.tokens import compounds, is_measure, words

_STATED = re.compile(
    r"\d+(?:ah|mah|wh|kwh|h|hrs?|min|va|vac|vdc|ac|dc|ma|db|nm|mm|cm|m|km|in|ft|yd|oz|lbs?|kg|g|mg|"
    r"l|ml|v|w|hz|khz|mhz|ghz|k|x|rpm|psi|btu|cfm|lm|dpi|ppm|fps|mp|tb|gb|mb|s|er|ers|pcs?|ct|pk|mbps|gbps|ready|pin|"
    r"p|th|st|nd|rd)|\d{4}s|\d+in\d+|usb\d{1,2}|(?:eu|eur|us|uk|sz|size)\d{1,2}|(?:e|gu|mr|par|b|g)(?:10|12|"
    r"14|15|16|22|24|27|38|39|40|53)[abdp]?|ipx?\d{1,2}|iso\d+|v\d{1,2}|vol\d+|no\d+|w\d{2}l\d{2}"
)
"""Measures, sizes and classes, as they are written in one word or joined from several."""
_CLASS = re.compile(r"(?:ddr|pc|usb|wifi|cat)\d")
"""What a joined specification begins with: `DDR4-3200`."""
_FOR_ANOTHER = re.compile(
    r"\b(?:for(?! parts| sale| repair| kids| men| women| boys| girls)|fits?|fitting|to fit|suits?|"
    r"compatible(?: with)?|replaces|replacement (?:for|of)|works with|made for)\b",
    re.I,
)


def codes_in(texts: Iterable[str]) -> list[str]:
    """The codes in some texts that may be the item's model, each once, joined and in lower case."""
    return list(dict.fromkeys(code for text in texts for code in _codes(_of_itself(text))))


def _of_itself(text: str) -> str:
    """The part of a text that tells of the item itself, before what it is made for."""
    other = _FOR_ANOTHER.search(text)
    return text[: other.start()] if other else text


def _codes(text: str) -> Iterator[str]:
    joined = [code for code in compounds(text) if not _is_stated(code)]
    single = [word for word in words(text) if looks_like_code(word) and not _is_stated(word)]
    yield from (code for code in (*joined, *single) if not code.isdigit())


def _is_stated(code: str) -> bool:
    """Whether it says how much, how large or of which class, as `ddr43200` does."""
    kind = _CLASS.match(code)
    is_class = kind is not None and specification(kind[0]) is not None
    return is_class or is_measure(code) or _STATED.fullmatch(code) is not None
