"""Listings that name the product and yet are something else: lots, parts, boxes, replicas, ...

Pure detectors over two titles.  A detector is silent where the item itself is such a thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from .tokens import plain
from .variants import variant_conflict


class ExclusionKind(StrEnum):
    LOT = "lot"
    BUNDLE = "bundle"
    PARTS_ONLY = "parts_only"
    BOX_ONLY = "box_only"
    PHOTO_OR_DIGITAL_ONLY = "photo_or_digital_only"
    REPLICA = "replica"
    WRONG_VARIANT = "wrong_variant"


@dataclass(frozen=True)
class Exclusion:
    """Why a listing must not set the price."""

    kind: ExclusionKind
    reason: str
    """Plain words with the words of the title that triggered it."""


_ONLY = r"(?:only|alone)"
_PATTERNS: tuple[tuple[ExclusionKind, str, re.Pattern[str]], ...] = tuple(
    (kind, words, re.compile(pattern))
    for kind, words, pattern in (
        (
            ExclusionKind.PHOTO_OR_DIGITAL_ONLY,
            "a picture or a file, not the thing",
            rf"\b(?:(?:photo|picture|image|pic)s? {_ONLY}\b|digital (?:download|copy|code|file)s?\b"
            rf"|pdf(?: file| manual| pattern| download)?\b(?! reader| editor| converter| creator)"
            rf"|instant download\b|(?:download|key) code\b|ebook\b|e-book\b(?! reader)"
            rf"|(?:instructions?|manual|booklet|guide) {_ONLY}\b|no (?:game|disc|cartridge|console)\b"
            rf"|svg\b|stl file\b|printable\b)",
        ),
        (
            ExclusionKind.BOX_ONLY,
            "packaging without the thing",
            rf"\b(?:(?:empty|original|retail|replacement) (?:box|case|packaging) {_ONLY}\b"
            rf"|(?:box|case|packaging|sleeve|cover art|artwork) {_ONLY}\b|empty (?:\w+ )?box\b"
            rf"|just (?:the )?box\b|no (?:phone|watch|shoes|item) (?:included|inside)\b)",
        ),
        (
            ExclusionKind.PARTS_ONLY,
            "broken, or a part of the thing",
            rf"\b(?:for parts\b|parts or (?:not working|repair)\b|for (?:repair|spares)\b"
            rf"|spares (?:or|and|&|/) ?repairs?\b|spares/repairs?\b|as[- ]is\b(?=.*\b(?:parts|not|broken|repair))"
            rf"|not working\b|doesn'?t work\b|does not work\b|non[- ]working\b|non[- ]functional\b"
            rf"|faulty\b|defective\b|broken\b(?! in\b)|cracked (?:screen|lcd|glass|display)\b"
            rf"|bad (?:lcd|battery|motherboard|board|esn|imei)\b|icloud locked\b|parts {_ONLY}\b"
            rf"|(?:body|lid|strap|band|charger|cable|cord|remote|stand|battery|motherboard|screen|lcd"
            rf"|shell|housing|faceplate|bezel|lens cap|left|right) {_ONLY}\b(?<!body only))",
        ),
        (
            ExclusionKind.REPLICA,
            "an imitation",
            r"\b(?:replica\b|knock[- ]?off\b|counterfeit\b|imitation\b(?! leather| fur| pearl| crab)"
            r"|fake\b(?! fur| leather| nails| it\b)|clone\b|dummy (?:phone|model|unit)\b"
            r"|non[- ]genuine\b|unbranded copy\b)",
        ),
        (
            ExclusionKind.LOT,
            "several at once",
            r"(?:\b(?:job ?|whole)?lots? of \d+\b|\b\d+ ?(?:x |pc |pcs |piece )?lot\b|\bwholesale\b"
            r"|\bjob ?lot\b|\blot\b(?= ?[-:(]|$)|\b(?:bulk|mixed|huge|big|large) lot\b|^lots? of\b"
            r"|\bset of (?:[2-9]|\d\d)\b|\b(?:pair|bundle) of \d+\b|\bqty:? ?(?:[2-9]|\d\d+)\b"
            r"|\bx ?(?:[2-9]|\d\d) (?:units|pieces)\b)",
        ),
        (
            ExclusionKind.BUNDLE,
            "sold together with other things",
            r"\b(?:bundle\b|bundled with\b|with (?:\d+|many|extra|lots of) (?:games|extras|accessories)\b"
            r"|(?:\+|&|and|plus|w/) ?\d+ (?:games|controllers|extras|lenses|accessories)\b"
            r"|accessory kit\b|starter bundle\b|value pack with\b|combo deal\b)",
        ),
    )
)


def exclusion(item: str, listing: str) -> Exclusion | None:
    """The first reason why a listing of the product must not set its price, or None.

    `item` and `listing` are titles.  Kinds are tried from the most to the least damaging.
    """
    return next(_exclusions(plain(item), plain(listing)), None)


def _exclusions(item: str, listing: str) -> Iterator[Exclusion]:
    for kind, words, pattern in _PATTERNS:
        found = pattern.search(listing)
        if found is not None and pattern.search(item) is None:
            yield Exclusion(kind, f'{words}: "{found[0].strip()}"')
    conflict = variant_conflict(item, listing)
    if conflict is not None:
        yield Exclusion(ExclusionKind.WRONG_VARIANT, conflict)
