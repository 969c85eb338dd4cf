"""Listings that name the product but offer something else: lots, parts, boxes, replicas, ...

Pure detectors over two titles.  A detector does not fire if the item itself is such a thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from .accessories import accessory, lens_conflict
from .tokens import plain
from .variants import variant_conflict


class ExclusionKind(StrEnum):
    LOT = "lot"
    BUNDLE = "bundle"
    PARTS_ONLY = "parts_only"
    BOX_ONLY = "box_only"
    PHOTO_OR_DIGITAL_ONLY = "photo_or_digital_only"
    REPLICA = "replica"
    THIRD_PARTY = "third_party"
    ACCESSORY = "accessory"
    WRONG_VARIANT = "wrong_variant"


@dataclass(frozen=True)
class Exclusion:
    """Why a listing must not set the price."""

    kind: ExclusionKind
    reason: str
    """The explanation, with the words of the title that triggered it."""


@dataclass(frozen=True)
class _Detector:
    kind: ExclusionKind
    meaning: str
    phrases: re.Pattern[str]


def _detector(kind: ExclusionKind, meaning: str, *phrases: str) -> _Detector:
    return _Detector(kind, meaning, re.compile(rf"\b(?:{'|'.join(phrases)})"))


_PARTS = (
    "lid|strap|band|charger|cable|cord|remote|stand|battery|motherboard|logic board|screen|lcd"
    "|shell|housing|faceplate|bezel|lens cap|keyboard|left shoe|right shoe|left|right|ear ?bud"
)
_SUPPLIES = (
    r"(?:ink|toner|cartridges?|drum|ribbons?|labels?|tapes?|batter(?:y|ies)|charger|adapter|lamp|bulb"
    r"|filters?|blades?|brush heads?)"
)
_DETECTORS = (
    _detector(
        ExclusionKind.BOX_ONLY,
        "packaging without the thing",
        r"(?:box|packaging|sleeve|cover art|artwork|case and manual) only\b",
        r"(?:game|original|empty|replacement) case only\b",
        r"empty (?:retail |original |shoe |watch |game )?(?:box|case|packaging)\b",
        r"just (?:the )?box\b",
        r"no (?:phone|watch|shoes|camera|item|laptop) (?:included|inside)\b",
    ),
    _detector(
        ExclusionKind.PHOTO_OR_DIGITAL_ONLY,
        "a picture or a file, not the thing",
        r"(?:photo|picture|image|pic)s? only\b",
        r"digital (?:download|copy|code|file|pattern)s?\b",
        r"pdf\b(?! (?:reader|editor|converter|creator|suite|scanner|studio|professional))",
        r"(?:instant|file) download\b",
        r"(?:download|game|product|redeem) code\b",
        r"(?:instructions?|manual|booklet|guide|paperwork) only\b",
        r"(?:no|without) (?:game|disc|cartridge|console)\b",
        r"(?:svg|stl)(?: file)?s?\b",
    ),
    _detector(
        ExclusionKind.PARTS_ONLY,
        "broken, or a part of the thing",
        r"for parts\b|parts or (?:not working|repair)\b|for (?:repair|spares)\b|parts only\b",
        r"spares ?(?:or|and|&|/) ?repairs?\b",
        r"(?:not|non|isn'?t)[- ]working\b|(?:doesn'?t|does not|won'?t|will not) (?:work|turn on)\b",
        r"non[- ]?functional\b|faulty\b|defective\b|broken\b|water damaged?\b",
        r"cracked (?:screen|lcd|glass|display|lens)\b",
        r"bad (?:lcd|battery|motherboard|board|esn|imei|screen)\b|(?:icloud|bios) locked\b",
        rf"(?:{_PARTS}) only\b",
    ),
    _detector(
        ExclusionKind.REPLICA,
        "an imitation",
        r"replica\b|knock[- ]?off\b|counterfeit\b|dummy (?:phone|model|unit|display)\b",
        r"(?:fake|imitation|faux)\b(?! (?:fur|leather|nails|pearls?|crab|eyelash|lash|plants?))",
        r"non[- ]genuine\b|unofficial copy\b",
    ),
    _detector(
        ExclusionKind.THIRD_PARTY,
        "made or refilled by another maker",
        r"re-?manufactured\b|re-?filled\b",
        rf"compatible\b(?! with)(?=.*\b{_SUPPLIES}\b)",
        rf"{_SUPPLIES}\b.*\bcompatible\b(?! with)",
        rf"replacement for\b(?=.*\b{_SUPPLIES}\b)",
        rf"(?:generic|aftermarket|third[- ]party)\b(?=.*\b{_SUPPLIES}\b)",
    ),
    _detector(
        ExclusionKind.LOT,
        "several at once",
        r"(?:job ?)?lots? of (?:\d+|two|three|four|five|six|ten)\b",
        r"\d+ ?(?:x |pc |pcs |piece |item )?lot\b|(?:job|bulk|mixed|huge|large|wholesale) ?lot\b",
        r"lot(?= ?[-:(!]| ?$)|qty:? ?(?:[2-9]|\d\d+)\b",
        r"set of (?:[2-9]|\d\d)(?= (?:cameras|phones|consoles|laptops|watches|units|tablets))",
    ),
    _detector(
        ExclusionKind.BUNDLE,
        "sold together with other things",
        r"bundle\b|bundled with\b|combo deal\b|mega kit\b",
        r"with (?:\d+|many|extra|lots of|loads of) (?:games|extras|accessories|lenses)\b",
        r"(?:and|plus|w/) ?\d+ (?:games|controllers|extras|lenses|accessories)\b",
        r"\d+ games (?:included|and)\b|accessory (?:kit|bundle) included\b",
    ),
)
"""Tried in this order, from least like the item to most like it."""
_COMPATIBLE_WITH = re.compile(rf"\b{_SUPPLIES}\b.*?\bcompatible with ([a-z]+)")
"""A maker writes which printers a cartridge fits; another one, whose cartridge it replaces."""
_WHOLESALE = re.compile(r"wholesale\b")
_WORD = re.compile(r"[a-z]+")


def exclusion(item: str, listing: str) -> Exclusion | None:
    """The first reason why a listing must not set the item's price, or None (two titles)."""
    return next(_exclusions(plain(item), plain(listing)), None)


def _exclusions(item: str, listing: str) -> Iterator[Exclusion]:
    made_for = _COMPATIBLE_WITH.search(listing)
    if made_for and made_for[1] in _WORD.findall(item):
        yield Exclusion(ExclusionKind.THIRD_PARTY, f'made by another maker: "{made_for[0]}"')
    if _is_wholesale(item, listing):
        yield Exclusion(
            ExclusionKind.LOT, 'several at once: "wholesale", and the name in the plural'
        )
    for detector in _DETECTORS:
        match = detector.phrases.search(listing)
        if match is not None and detector.phrases.search(item) is None:
            yield Exclusion(detector.kind, f'{detector.meaning}: "{match[0].strip()}"')
    if (part := accessory(item, listing)) is not None:
        yield Exclusion(ExclusionKind.ACCESSORY, f'an accessory of the thing: "{part}"')
    conflict = lens_conflict(item, listing) or variant_conflict(item, listing)
    if conflict is not None:
        yield Exclusion(ExclusionKind.WRONG_VARIANT, conflict)


def _is_wholesale(item: str, listing: str) -> bool:
    """Whether a listing offers the item by the dozen.

    The word alone proves nothing: it is also in names of shops and in the titles of their pages.
    """
    if not _WHOLESALE.match(listing):
        return False
    nouns = frozenset(_WORD.findall(item))
    return any(
        word not in nouns and word.removesuffix(ending) in nouns
        for word in _WORD.findall(listing)
        for ending in ("s", "es")
        if word.endswith(ending) and len(word) > len(ending) + 2
    )
