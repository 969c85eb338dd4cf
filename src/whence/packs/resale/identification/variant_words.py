"""The variant of a product: its attributes, and colour and size as the title states them."""

from __future__ import annotations

import re

from whence.packs.resale.matching.profile import COLOURS
from whence.packs.resale.matching.tokens import is_measure, words

from .records import ProductLook
from .spelling import compact

VARIANT_ATTRIBUTES = frozenset(
    {"color", "colour", "capacity", "storage", "size", "edition", "platform", "memory", "finish"}
)
"""Attribute names (lower case) that distinguish variants of one product."""
COLOUR_NAMES = frozenset(
    {"color", "colour", "coloured", "colored", "finish", "edition", "leather", "metal", "version"}
)
"""Words after a colour that show that it is one: `olive finish`."""
THINGS = frozenset(
    {
        "olive", "lime", "plum", "lavender", "rose", "chocolate", "camel", "sand", "tan", "orange",
        "gold", "golden", "silver", "charcoal", "slate", "ivory", "volt", "royal", "burgundy",
        "graphite", "chrome", "aqua", "magenta", "violet",
    }
)  # fmt: skip
"""Colours that are also things, materials, brands or first names."""
_SEGMENT = re.compile(r"\s*[,;|()\[\]/]\s*|\s+-\s+")
_JOINED = re.compile(r"[^\W_]+ ?(?:&|\+|\band\b|'s\b)", re.IGNORECASE)


def stated_variant(look: ProductLook) -> dict[str, str]:
    """The attributes that distinguish variants, completed from the title."""
    stated = {k: v for k, v in look.attributes.items() if k.lower() in VARIANT_ATTRIBUTES}
    names = {key.lower() for key in stated}
    colour = _colour(look)
    if colour and not names & {"color", "colour", "finish"}:
        stated["Color"] = colour
    measure = next((word for word in words(look.title) if is_measure(word)), None)
    if measure and not names & {"capacity", "storage", "size", "memory"}:
        stated["Size"] = measure
    return stated


def _colour(look: ProductLook) -> str | None:
    """The first colour of the title that is no part of a name (`Black & Decker`, `olive oil`)."""
    brand = {compact(word) for word in (look.brand or "").split()}
    for segment in _SEGMENT.split(look.title):
        sequence = words(segment)
        opens_name = _JOINED.match(segment) is not None
        for at, word in enumerate(sequence):
            if word not in COLOURS or compact(word) in brand or (at == 0 and opens_name):
                continue
            if word not in THINGS or _is_last(sequence[at + 1 :]):
                return word
    return None


def _is_last(rest: list[str]) -> bool:
    """Whether only sizes, other colours and words such as `finish` follow."""
    return all(is_measure(word) or word in COLOURS or word in COLOUR_NAMES for word in rest)
