"""The spread of two shops' prices for one product, from which the pricing constants come.

Uses train and valid pairs only; a test compares it with the constants in `pricing.params` and
`assumptions.toml`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from whence.packs.resale.pricing.assumptions import Assumptions

from .labelled import read_folder, read_pairs

_SPREADS = [step / 100 for step in range(5, 81)]
_SHIPPING = [step / 2 for step in range(21)]


@dataclass(frozen=True)
class Offers:
    """One true pair: the listing's price, the item's, and their market."""

    item: str
    price: float
    """The listing's, without shipping."""
    other: float
    """The item's."""
    market: str | None


@dataclass(frozen=True)
class SpreadReport:
    """Maximum likelihood of a Laplace model: the item's price scatters around the listing's with
    `shipping` added, at the scale `hypot(spread, log(1 + shipping / total))`."""

    spread: float
    shipping: float
    """Typical shipping, in the currency of the folder."""
    n: int


def true_offers(data: Path, splits: Sequence[str], table: Assumptions) -> list[Offers]:
    """The labelled matches of these splits with a price on both sides."""
    folder = read_folder(data)
    offers: list[Offers] = []
    for split in splits:
        for pair in read_pairs(data, split, folder):
            item, listing = folder.items[pair.item], folder.listings[pair.listing]
            if pair.match and item.price and listing.price:
                market = table.market_of(item.category)
                name = None if market is None else market[0]
                offers.append(Offers(pair.item, listing.price, item.price, name))
    return offers


def measured_spread(offers: Sequence[Offers], shipping: float | None = None) -> SpreadReport:
    """The maximum-likelihood spread (and typical shipping, unless given) of the offers."""
    tried = _SHIPPING if shipping is None else [shipping]
    best = max(
        ((spread, sent) for spread in _SPREADS for sent in tried),
        key=lambda pair: _log_likelihood(offers, *pair),
    )
    return SpreadReport(spread=best[0], shipping=best[1], n=len(offers))


def _log_likelihood(offers: Sequence[Offers], spread: float, shipping: float) -> float:
    return math.fsum(_log_density(offer, spread, shipping) for offer in offers)


def _log_density(offer: Offers, spread: float, shipping: float) -> float:
    total = offer.price + shipping
    scale = math.hypot(spread, math.log1p(shipping / total))
    return -math.log(2 * scale) - abs(math.log(offer.other / total)) / scale
