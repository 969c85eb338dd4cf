"""The items of a labelled folder whose price can be checked, and the error of simple guesses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from whence.packs.resale.matching.scorer import Product
from whence.packs.resale.records import Listing
from whence.sdk.errors import Invalid

from .labelled import LabelledFolder, read_pairs

SPLITS = ("train", "valid", "test")


@dataclass(frozen=True)
class PricedItem:
    """An item with a known price: the input of pricing, and the prices to compare with."""

    ident: str
    product: Product
    """Without its price, which is the expected result."""
    price: float
    true_prices: tuple[float, ...]
    """Prices of the listings labelled as this item."""


def priced_items(data: Path, folder: LabelledFolder) -> list[PricedItem]:
    """Items that have a price and a priced true match, over all existing pair files.

    Raises:
        Invalid: no pair file, or no such item.
    """
    splits = splits_of(data)
    if not splits:
        raise Invalid(f"{data}: no pairs.train.jsonl, pairs.valid.jsonl or pairs.test.jsonl in it")
    items = items_of_splits(data, folder, splits)
    if not items:
        raise Invalid(f"{data}: no item has both a price and a matching listing with a price")
    return items


def splits_of(data: Path) -> list[str]:
    """The splits that the folder has pairs of."""
    return [split for split in SPLITS if (data / f"pairs.{split}.jsonl").is_file()]


def items_of_splits(data: Path, folder: LabelledFolder, splits: Sequence[str]) -> list[PricedItem]:
    """The priced items that the pairs of these splits label, in order of their id."""
    matches: defaultdict[str, list[float]] = defaultdict(list)
    for split in splits:
        for pair in read_pairs(data, split, folder):
            price = folder.listings[pair.listing].price
            if pair.match and price:
                matches[pair.item].append(price)
    return [
        PricedItem(ident, replace(product, price=None), product.price, tuple(matches[ident]))
        for ident, product in sorted(folder.items.items())
        if product.price and ident in matches
    ]


def price_error(guess: float, price: float) -> float:
    """Absolute percentage error of a guess (0.2 is 20 per cent)."""
    return abs(guess / price - 1)


@dataclass(frozen=True)
class Baselines:
    """Median errors of three simple guesses."""

    ten_texts: float
    """The median price of the ten nearest priced texts."""
    one_text: float
    """The price of the nearest priced text."""
    true_match: float
    """The median price of the labelled matches, that is the difference between two shops."""


def baselines(items: Sequence[PricedItem], nearest: Mapping[str, Sequence[Listing]]) -> Baselines:
    """Errors of the simple guesses; `nearest` has each item's priced listings by similarity."""
    tens: list[float] = []
    ones: list[float] = []
    for item in items:
        prices = [listing.price for listing in nearest[item.ident] if listing.price]
        if prices:
            tens.append(price_error(median(prices[:10]), item.price))
            ones.append(price_error(prices[0], item.price))
    matches = [price_error(median(item.true_prices), item.price) for item in items]
    return Baselines(
        ten_texts=median(tens) if tens else 1.0,
        one_text=median(ones) if ones else 1.0,
        true_match=median(matches),
    )
