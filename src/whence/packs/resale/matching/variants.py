"""Another variant of the same product: capacity, colour, generation, edition, platform, pack."""

from __future__ import annotations

import re

from .profile import COLOURS

_AMOUNT = {
    "capacity": re.compile(r"(?<![\w-])(\d+(?:\.\d+)?) ?(tb|gb|mb)\b(?!/?s|ps)"),
    "screen size": re.compile(
        r"(?<![\d.])(?<!\b\d )\b(\d{1,3}(?:\.\d+)?)[- ]?(inch|in)(?:es)?\b(?!-| ?\d| wall| 1)"
    ),
    "case size": re.compile(r"(?<![-\d.])\b(\d{2})[- ]?(mm)\b"),
    "shoe size": re.compile(r"\b(?:size|sz|us|uk|eu)\.? ?(\d{1,2}(?:\.5)?)()\b"),
}
_PACK = re.compile(r"\b(?:pack|set|box) ?of ?(\d+)\b|(?<![\w.-])(\d+)[- ]?(?:pack|pk|ct|count)\b")
_WATCH = frozenset({"watch", "case", "dial", "strap", "band", "bracelet", "chronograph"})
_LARGER = {"mb": "gb", "gb": "tb"}
_ORDINAL = re.compile(r"\b(\d+)(?:st|nd|rd|th)[- ]gen(?:eration)?\b|\bgen(?:eration)? ?(\d+)\b")
_MARK = re.compile(r"\b(?:mark|mk|version|ver) ?(ii|iii|iv|v|vi|\d+)\b")
_ROMAN = {"ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6"}
_EDITIONS = frozenset(
    {
        "standard", "pro", "premium", "deluxe", "ultimate", "home", "student",
        "academic", "upgrade", "lite", "mini", "max", "plus", "ultra", "platinum", "basic",
        "enterprise", "business",
    }
)  # fmt: skip
_SAME_EDITION = {"professional": "pro", "std": "standard", "dlx": "deluxe", "prem": "premium"}
_PLATFORMS = {
    "ps3": "PlayStation 3", "ps4": "PlayStation 4", "ps5": "PlayStation 5", "ps2": "PlayStation 2",
    "playstation 3": "PlayStation 3", "playstation 4": "PlayStation 4",
    "playstation 5": "PlayStation 5", "playstation 2": "PlayStation 2",
    "xbox 360": "Xbox 360", "xbox one": "Xbox One", "xbox series": "Xbox Series",
    "wii u": "Wii U", "wii": "Wii", "nintendo switch": "Switch", "switch": "Switch",
    "3ds": "3DS", "mac": "Mac", "macintosh": "Mac", "windows": "Windows", "win": "Windows",
}  # fmt: skip
_PLATFORM = re.compile(
    r"\b(" + "|".join(sorted(_PLATFORMS, key=lambda name: -len(name))) + r")\b(?! book| pro| mini)"
)


def variant_conflict(item: str, listing: str) -> str | None:
    """What the two (plain, lower-case) titles disagree on, or None; both must state it.

    Packs are the exception: if the item names none, a single piece is assumed.
    """
    wanted, offered = _variants(item), _variants(listing)
    for name, mine in wanted.items():
        theirs = offered[name]
        if mine and theirs and not mine & theirs:
            return f"another {name}: {_say(mine)} wanted, {_say(theirs)} offered"
    if not wanted["pack"] and offered["pack"] - {"1"}:
        return f"a pack: one wanted, {_say(offered['pack'])} offered"
    return None


def _variants(text: str) -> dict[str, frozenset[str]]:
    amounts = {name: _amounts(pattern, text) for name, pattern in _AMOUNT.items()}
    word = re.findall(r"[a-z]+", text)
    if not _WATCH.intersection(word):  # 55 mm of a lens is no size of a case
        amounts["case size"] = frozenset()
    amounts["generation"] = _generations(text)
    amounts["platform"] = frozenset(_PLATFORMS[name] for name in _PLATFORM.findall(text))
    amounts["colour"] = frozenset(COLOURS[w] for w in word if w in COLOURS)
    editions = (_SAME_EDITION.get(w, w) for w in word)
    amounts["edition"] = frozenset(edition for edition in editions if edition in _EDITIONS)
    amounts["pack"] = frozenset(one or other for one, other in _PACK.findall(text))
    return amounts


def _amounts(pattern: re.Pattern[str], text: str) -> frozenset[str]:
    return frozenset(_amount(float(value), unit) for value, unit in pattern.findall(text))


def _amount(value: float, unit: str) -> str:
    """`1024 mb` and `1 gb` are one amount."""
    while unit in _LARGER and value >= 1000:
        value, unit = value / (1024 if value % 1024 == 0 else 1000), _LARGER[unit]
    return f"{value:g} {'inch' if unit == 'in' else unit}".strip()


def _generations(text: str) -> frozenset[str]:
    generations = {f"generation {one or other}" for one, other in _ORDINAL.findall(text)}
    generations |= {f"mark {_ROMAN.get(mark, mark)}" for mark in _MARK.findall(text)}
    return frozenset(generations)


def _say(values: frozenset[str]) -> str:
    return ", ".join(sorted(values))
