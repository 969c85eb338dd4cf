"""A pair of texts as a row of numbers that mean the same in every catalogue."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rapidfuzz import fuzz

from .codes import CodeMatch, compare_codes
from .coverage import Coverage, coverage
from .measures import MeasureMatch, colour_relation, compare_measures
from .profile import Profile

_PRICE_SAME = 0.03
"""Log price distance under which two shops ask the same (3 %)."""
_PRICE_CLOSE = 0.25
"""Log price distance under which two shops ask about the same (28 %)."""
_PRICE_FAR = 2.0
"""Log price distances are capped here (a factor of 7)."""

FEATURES = (
    "exact_item", "exact_listing", "soft_item", "soft_listing", "cosine", "soft_least",
    "soft_most", "missing_item", "missing_listing", "missing_least", "found_item",
    "code_agree", "code_extended", "code_contradict", "code_sibling", "code_missing",
    "code_surplus", "unit_agree", "unit_conflict", "number_agree", "number_conflict",
    "number_missing", "number_surplus", "token_set", "token_sort", "letters", "letters_part",
    "price_known", "price_distance", "price_same", "price_close", "colour_conflict",
    "colour_same", "goes_with",
)  # fmt: skip
"""Names of the values of `Comparison.row`, in order."""


@dataclass(frozen=True)
class Comparison:
    """What one listing has and has not in common with the item."""

    item: Coverage
    listing: Coverage
    codes: CodeMatch
    measures: MeasureMatch
    colours: int
    row: tuple[float, ...]


def compare(
    item: Profile, listing: Profile, item_price: float | None, listing_price: float | None
) -> Comparison:
    """Compare two texts (and prices, where both are known and in one currency)."""
    mine, theirs = coverage(item, listing), coverage(listing, item)
    codes, measures = compare_codes(item, listing), compare_measures(item, listing)
    colours = colour_relation(item, listing)
    known = bool(item_price) and bool(listing_price)
    distance = abs(math.log(item_price / listing_price)) if item_price and listing_price else 0.0
    settled = bool(codes.agree or codes.extended)
    row = (
        mine.exact, theirs.exact, mine.soft, theirs.soft,
        math.sqrt(mine.energy * theirs.energy),
        min(mine.soft, theirs.soft), max(mine.soft, theirs.soft),
        mine.missing, theirs.missing, min(mine.missing, theirs.missing), mine.found,
        codes.agree, codes.extended, codes.contradict, 0.0 if settled else codes.sibling,
        codes.missing, codes.surplus,
        float(min(measures.agree, 3)), float(min(measures.conflict, 3)),
        float(min(measures.numbers_agree, 3)),
        float(measures.numbers_missing > 0 and measures.numbers_surplus > 0),
        float(measures.numbers_missing > 0), float(measures.numbers_surplus > 0),
        fuzz.token_set_ratio(item.plain, listing.plain) / 100,
        fuzz.token_sort_ratio(item.plain, listing.plain) / 100,
        fuzz.ratio(item.compact, listing.compact) / 100,
        fuzz.partial_ratio(item.compact, listing.compact) / 100,
        float(known), min(distance, _PRICE_FAR), float(known and distance < _PRICE_SAME),
        float(known and distance < _PRICE_CLOSE), float(colours < 0), float(colours > 0),
        _goes_with_differs(item, listing),
    )  # fmt: skip
    return Comparison(mine, theirs, codes, measures, colours, row)


def _goes_with_differs(item: Profile, listing: Profile) -> float:
    """0 to 1: how much of what both name is the thing itself here, and its companion there."""
    common = [word for word in item.weight if word in listing.weight]
    total = sum(item.weight[word] for word in common)
    if not total:
        return 0.0
    mine = sum(item.weight[word] for word in common if word in item.goes_with)
    theirs = sum(item.weight[word] for word in common if word in listing.goes_with)
    return abs(mine - theirs) / total
