"""Specifications that look like model codes: memory types, resolutions, sockets, interfaces.

Two offers that share `DDR3` or `1080p` are alike, not the same product; two that differ in them are
different products.  So a specification is a measure with a family, never a code.
"""

from __future__ import annotations

import re
from functools import lru_cache

_FAMILIES = {
    "memory_type": r"(?:lp|g)?ddr\d?[lx]?",
    "memory_speed": r"pc[2-5]?l?\d{4,5}[a-z]?|pc[2-5]",
    "socket": r"lga\d{3,4}|am[2-5]|fm[12]|s?trx?4|socket\d+",
    "resolution": r"(?:480|576|720|768|900|1080|1440|2160)[pi]|(?:[2-8]|16)k|\d{3,4}x\d{3,4}"
    r"|[fuw]?hd\d{3,4}p?",
    "wireless": r"802|80211[a-z]{1,3}|ac\d{4}|wifi[4-7]|bt[45]\d?|[345]g",
    "interface": r"usb[123]\d?|e?sata\d*|pcie?\d*|hdmi\d*|m2|rj\d\d|cat\d[ae]?|rs232|db\d+",
    "card_class": r"uhs\d|u[13]|v[369]0|class\d+|cl\d{1,2}",
    "aperture": r"f\d|f(?:1[248]|2[028]|3[25]|4[05]|5[06]|63)[a-z]?|f\d{3,4}[a-z]?",
    "coding": r"mp[34]|[hx]26[45]|mpeg\d",
    "protection": r"ip[x\d]\d|ik\d\d|iso\d+|ul\d+",
    "dimensions": r"[23]d|\d{1,2}x\d{1,2}(?:x\d{1,2})?",
    "ordinal": r"\d{1,3}(?:st|nd|rd|th)(?:\d{1,3}(?:st|nd|rd|th))?|\d{2}(?:ers?|mo|yr|hr)",
    "system": r"win(?:7|8|10|11|95|98|2000)|2k|9x|sp\d",
}
_SPECIFICATION = re.compile("|".join(f"(?P<{family}>{form})" for family, form in _FAMILIES.items()))
DECISIVE = frozenset({"memory_type", "memory_speed", "socket", "resolution"})
"""Families of which two different values mean two products."""


@lru_cache(maxsize=100_000)
def specification(word: str) -> str | None:
    """The family of a word that is a specification, None if it is none."""
    match = _SPECIFICATION.fullmatch(word)
    return match.lastgroup if match else None
