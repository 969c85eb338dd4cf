"""The features of a pair of texts, comparable across catalogues."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .codes import CodeMatch, compare_codes
from .coverage import Coverage, coverage, words_found
from .kinds import VariantMatch, compare_variants
from .measures import (
    MeasureMatch,
    colour_relation,
    compare_measures,
    differing_specifications,
)
from .profile import Profile

DISTINCTIVE = 0.45
"""Rarity from which a word is distinctive (few texts of the catalogue contain it)."""
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
    "first_word": 1, "spec_conflict": -1,
}  # fmt: skip
"""How a higher value may change the score.  Which were chosen, and how: ADR 0049."""

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
    specs: tuple[str, ...]
    """Specifications of one family that differ, such as `ddr3 vs ddr4`."""
    colours: int
    """1 in common, -1 in conflict, 0 unknown."""
    only_number: str
    """The bare number that is all that both have in common, empty if there is none."""
    vague: bool
    """Whether the item names no model and at most one distinctive word, such as its brand."""
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
            and not self.specs
            and self.colours >= 0
        )


def compare(
    item: Profile, listing: Profile, item_price: float | None, listing_price: float | None
) -> Comparison:
    """Compare two texts (and prices, where both are known and in one currency)."""
    mine, theirs = coverage(item, listing), coverage(listing, item)
    codes, measures = compare_codes(item, listing), compare_measures(item, listing)
    variants, colours = compare_variants(item, listing), colour_relation(item, listing)
    specs = differing_specifications(item, listing)
    row = (
        theirs.energy, mine.matched, mine.missing,
        codes.agree, codes.extended, codes.sibling,
        float(min(measures.conflict, 3)), float(min(measures.numbers_agree, 3)),
        float(measures.numbers_missing > 0 and measures.numbers_surplus > 0),
        float(measures.numbers_missing > 0),
        *_prices(item_price, listing_price),
        float(colours < 0), float(min(variants.conflict, 2)), float(min(variants.onesided, 3)),
        float(_share_first_word(item, listing)), float(len(specs)),
    )  # fmt: skip
    bare = codes.agreed if codes.agreed.isdigit() else ""
    only_number = bare if bare and not _words_agree(item, listing) else ""
    vague = _is_vague(item)
    return Comparison(
        mine, theirs, codes, measures, variants, specs, colours, only_number, vague, row
    )


def _share_first_word(item: Profile, listing: Profile) -> bool:
    """Whether the first word of one title, mostly the brand, is in the other."""
    if not item.words or not listing.words:
        return False
    return item.words[0] in listing.joined or listing.words[0] in item.joined


def _words_agree(item: Profile, listing: Profile) -> bool:
    """Whether a distinctive word with a letter is in both."""
    matches = words_found(item, listing)
    return any(
        weight >= DISTINCTIVE and not word.isdigit() and word in matches
        for word, weight in item.weight.items()
    )


def _is_vague(item: Profile) -> bool:
    distinctive = sum(weight >= DISTINCTIVE for weight in item.weight.values())
    return not item.codes and not item.stated and distinctive <= 1


def _prices(one: float | None, other: float | None) -> tuple[float, float]:
    if not one or not other:
        return _PRICE_UNKNOWN
    return 1.0, min(abs(math.log(one / other)), _PRICE_FAR)
