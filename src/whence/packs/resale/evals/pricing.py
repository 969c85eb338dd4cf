"""resale.pricing: the target's error against the item's real price, and the bands' coverage."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from whence.packs.resale.identification.records import ProductLook
from whence.packs.resale.identification.rules import identify
from whence.packs.resale.matching.catalogue import Catalogue
from whence.packs.resale.matching.retrieval import Candidates
from whence.packs.resale.matching.scorer import score_all, text_of
from whence.packs.resale.pricing.assumptions import shipped_assumptions
from whence.packs.resale.pricing.bands import PriceBands, price_bands
from whence.packs.resale.pricing.comps import Comp
from whence.packs.resale.pricing.params import NEAR
from whence.packs.resale.records import Listing

from .labelled import LabelledFolder, read_folder
from .planted import planted_problems
from .price_folds import FoldsReport, nested_folds
from .price_spread import true_offers
from .priced_items import (
    PricedItem,
    baselines,
    items_of_splits,
    price_error,
    priced_items,
    splits_of,
)

CANDIDATES = 40
"""Listings scored per item: twice the number requested from a source, so that retrieval loses
little."""

GROUPS = 5
"""Groups of equal size in which confidence is compared with what came true."""

LEAST_ITEMS = 50
"""Matched items below which constants cannot be chosen on a part of them."""

ANY_DAY = datetime(2025, 1, 1, tzinfo=UTC)
"""Any fixed day: the folder has no dates."""


@dataclass(frozen=True)
class PricingReport:
    """Errors are median absolute percentage errors of the target; rates and shares are 0 to 1."""

    median_ape: float
    """Over the items that get a band."""
    naive_median_ape: float
    """The median price of the ten nearest texts, over all items."""
    one_text_median_ape: float
    """The price of the nearest text, over all items."""
    true_match_median_ape: float
    """The price of the labelled match, over all items: the difference between two shops."""
    band_rate: float
    """Share of items with a band; the others get "not enough evidence"."""
    coverage: float
    """Share of these items whose own price is inside the band."""
    median_width: float
    """(ceiling - floor) / target."""
    error_confident_third: float
    error_unsure_third: float
    near_rate: float
    """Share of these items whose target is within the factor `NEAR` of the price."""
    mean_confidence: float
    """Mean confidence, to compare with `near_rate`."""
    calibration_error: float
    """Mean distance between confidence and near rate, over fifths of the items by confidence."""
    n: int
    """Number of items that have a price and a priced true match."""
    planted_right: int
    """Planted cases that come out as they must (`evals.planted`)."""
    planted: int
    """Planted cases."""
    splits: Mapping[str, SplitReport]
    """The same by split; the constants were chosen on train and valid."""
    folds: FoldsReport | None
    """Prices from labelled matches alone, with constants chosen on other items (`price_folds`);
    None without enough of them."""

    def figures(self) -> dict[str, float | int | str]:
        """All figures in one table, those of a split with its name in front."""
        flat = {name: value for name, value in vars(self).items() if name not in _NESTED}
        for split, report in self.splits.items():
            flat |= {f"{split}_{name}": value for name, value in vars(report).items()}
        if self.folds is not None:
            rates = {name: value for name, value in vars(self.folds).items() if name != "chosen"}
            flat |= {f"nested_{name}": value for name, value in rates.items()}
            flat["nested_spread"] = _range([each.spread for each in self.folds.chosen])
            flat["nested_shipping"] = _range([each.shipping for each in self.folds.chosen])
        return flat


_NESTED = ("splits", "folds")


@dataclass(frozen=True)
class SplitReport:
    """The items of one split that got a band; rates are 0 to 1."""

    median_ape: float
    bias: float
    """Median log ratio of the item's price to the target: above 0, targets are too low."""
    above_ceiling: float
    below_floor: float
    near_rate: float
    mean_confidence: float
    n: int


@dataclass(frozen=True)
class PricedCase:
    """One evaluated item that got a band."""

    item: PricedItem
    bands: PriceBands

    @property
    def error(self) -> float:
        """Absolute percentage error of the target."""
        return price_error(self.bands.target.amount, self.item.price)

    @property
    def inside(self) -> bool:
        """Whether the item's own price lies between floor and ceiling."""
        return self.bands.floor.amount <= self.item.price <= self.bands.ceiling.amount

    @property
    def near(self) -> bool:
        """Whether the target is within the factor `NEAR` of the price."""
        return 1 / NEAR <= self.bands.target.amount / self.item.price <= NEAR


def pricing(data: Path) -> PricingReport:
    """Price every item of a labelled folder from its listings and compare with its own price.

    The item's price is removed before scoring.  Labels only select the evaluated items and give the
    `true_match` baseline.

    Raises:
        Invalid: a file is missing or malformed (names file and line), or no item can be evaluated.
    """
    folder = read_folder(data)
    items = priced_items(data, folder)
    search = _Search(folder)
    nearest = {item.ident: search.nearest(item) for item in items}
    cases = [case for item in items if (case := _case(item, nearest[item.ident], search))]
    simple = baselines(items, nearest)
    by_confidence = sorted(cases, key=lambda case: (-case.bands.confidence, case.item.ident))
    third = len(cases) // 3
    planted = planted_problems()
    return PricingReport(
        median_ape=_median([case.error for case in cases]),
        naive_median_ape=simple.ten_texts,
        one_text_median_ape=simple.one_text,
        true_match_median_ape=simple.true_match,
        band_rate=len(cases) / len(items),
        coverage=_share([case.inside for case in cases]),
        median_width=_median([case.bands.width for case in cases]),
        error_confident_third=_median([case.error for case in by_confidence[:third]]),
        error_unsure_third=_median([case.error for case in by_confidence[-third:]]),
        near_rate=_share([case.near for case in cases]),
        mean_confidence=_mean([case.bands.confidence for case in cases]),
        calibration_error=_calibration_error(by_confidence),
        n=len(items),
        planted_right=sum(not wrong for wrong in planted.values()),
        planted=len(planted),
        splits=_by_split(data, folder, cases),
        folds=_folds(data),
    )


def _calibration_error(by_confidence: Sequence[PricedCase]) -> float:
    """Expected calibration error over equal groups (Naeini, Cooper and Hauskrecht 2015)."""
    size = max(1, -(-len(by_confidence) // GROUPS))
    groups = [by_confidence[at : at + size] for at in range(0, len(by_confidence), size)]
    distances = [
        len(group)
        * abs(
            _mean([case.bands.confidence for case in group]) - _share([case.near for case in group])
        )
        for group in groups
    ]
    return sum(distances) / len(by_confidence) if by_confidence else 0.0


def _by_split(
    data: Path, folder: LabelledFolder, cases: Sequence[PricedCase]
) -> dict[str, SplitReport]:
    reports: dict[str, SplitReport] = {}
    for split in splits_of(data):
        idents = {item.ident for item in items_of_splits(data, folder, [split])}
        if own := [case for case in cases if case.item.ident in idents]:
            reports[split] = _split(own)
    return reports


def _split(cases: Sequence[PricedCase]) -> SplitReport:
    return SplitReport(
        median_ape=_median([case.error for case in cases]),
        bias=_median([math.log(case.item.price / case.bands.target.amount) for case in cases]),
        above_ceiling=_share([case.item.price > case.bands.ceiling.amount for case in cases]),
        below_floor=_share([case.item.price < case.bands.floor.amount for case in cases]),
        near_rate=_share([case.near for case in cases]),
        mean_confidence=_mean([case.bands.confidence for case in cases]),
        n=len(cases),
    )


def _folds(data: Path) -> FoldsReport | None:
    offers = true_offers(data, splits_of(data), shipped_assumptions())
    return nested_folds(offers) if len({offer.item for offer in offers}) >= LEAST_ITEMS else None


def _range(values: Sequence[float]) -> str:
    return f"{min(values):g} to {max(values):g}"


class _Search:
    """All listings of the folder as one shop's library."""

    def __init__(self, folder: LabelledFolder) -> None:
        self.listings = list(folder.listings.values())
        texts = [text_of(listing) for listing in self.listings]
        self.catalogue = Catalogue.of([*map(text_of, folder.items.values()), *texts])
        self._index = Candidates(texts, self.catalogue)

    def nearest(self, item: PricedItem) -> list[Listing]:
        """The nearest listings by text."""
        indices = self._index.nearest(text_of(item.product), CANDIDATES)
        return [self.listings[at] for at in indices]


def _case(item: PricedItem, nearest: Sequence[Listing], search: _Search) -> PricedCase | None:
    scored = zip(nearest, score_all(item.product, nearest, search.catalogue), strict=True)
    comps = [
        Comp.from_listing(listing.source_id, listing, relevance.score)
        for listing, relevance in scored
        if relevance.exclusion is None
    ]
    bands = price_bands(
        comps,
        item.product.condition,
        ANY_DAY,
        currency=item.product.currency,
        category=item.product.category,
    )
    if not isinstance(bands, PriceBands):
        return None
    product = item.product
    look = ProductLook(title=product.title, brand=product.brand, model=product.model)
    return PricedCase(item, bands.limited_by(identify(look).confidence))


def _median(values: Sequence[float]) -> float:
    """Median; 1 (a hundred per cent) if there are no values."""
    return median(values) if values else 1.0


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _share(values: Sequence[bool]) -> float:
    return _mean([float(value) for value in values])
