"""Another variant of the same product: capacity, colour, generation, edition, platform, pack."""

from __future__ import annotations

import re

from .profile import COLOURS

_AMOUNT = {
    "capacity": re.compile(r"\b(\d+(?:\.\d+)?) ?(tb|gb|mb)\b(?!/?s|ps)"),
    "screen size": re.compile(r"\b(\d{1,3}(?:\.\d+)?)[- ]?(inch|in)(?:es)?\b"),
    "case size": re.compile(r"\b(\d{2})[- ]?(mm)\b(?! ?f/?\d| lens| zoom)"),
    "shoe size": re.compile(r"\b(?:size|sz|us|uk|eu)\.? ?(\d{1,2}(?:\.5)?)()\b"),
    "pack": re.compile(r"\b(\d+)[- ]?(pack|pk|ct|count)\b"),
}
_PACK = re.compile(r"\b(?:pack|set|box) of (\d+)\b|\b(\d+)[- ]?(?:pack|pk|ct|count)\b")
_ORDINAL = re.compile(r"\b(\d+)(?:st|nd|rd|th)[- ]gen(?:eration)?\b|\bgen(?:eration)? ?(\d+)\b")
_MARK = re.compile(r"\b(?:mark|mk|version|ver) ?(ii|iii|iv|v|vi|\d+)\b")
_ROMAN = {"ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6"}
_EDITIONS = frozenset(
    "standard pro professional premium deluxe ultimate home student academic upgrade lite mini max "
    "plus ultra platinum basic enterprise business".split()
)
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
    """What the two (plain, lower-case) titles disagree on, or None; both must state it."""
    for name, pattern in _AMOUNT.items():
        if name == "pack":
            continue
        mine, theirs = _amounts(pattern, item), _amounts(pattern, listing)
        if mine and theirs and not mine & theirs:
            return f"another {name}: {_say(mine)} wanted, {_say(theirs)} offered"
    for name, mine, theirs in (
        ("generation", _generations(item), _generations(listing)),
        ("platform", _platforms(item), _platforms(listing)),
        ("colour", _colours(item), _colours(listing)),
    ):
        if mine and theirs and not mine & theirs:
            return f"another {name}: {_say(mine)} wanted, {_say(theirs)} offered"
    mine, theirs = _editions(item), _editions(listing)
    if mine and theirs and not mine & theirs:
        return f"another edition: {_say(mine)} wanted, {_say(theirs)} offered"
    packs, offered = _packs(item), _packs(listing)
    if packs != offered and (offered - {"1"} or packs - {"1"}) and (packs and offered):
        return f"another pack: {_say(packs)} wanted, {_say(offered)} offered"
    if not packs and offered - {"1"}:
        return f"a pack: one wanted, {_say(offered)} offered"
    return None


def _amounts(pattern: re.Pattern[str], text: str) -> frozenset[str]:
    return frozenset(f"{float(value):g} {unit}".strip() for value, unit in pattern.findall(text))


def _packs(text: str) -> frozenset[str]:
    return frozenset(one or other for one, other in _PACK.findall(text))


def _generations(text: str) -> frozenset[str]:
    found = {f"generation {one or other}" for one, other in _ORDINAL.findall(text)}
    found |= {f"mark {_ROMAN.get(mark, mark)}" for mark in _MARK.findall(text)}
    return frozenset(found)


def _platforms(text: str) -> frozenset[str]:
    return frozenset(_PLATFORMS[name] for name in _PLATFORM.findall(text))


def _colours(text: str) -> frozenset[str]:
    return frozenset(COLOURS[word] for word in re.findall(r"[a-z]+", text) if word in COLOURS)


def _editions(text: str) -> frozenset[str]:
    return frozenset(word for word in re.findall(r"[a-z]+", text) if word in _EDITIONS)


def _say(values: frozenset[str]) -> str:
    return ", ".join(sorted(values))
