"""Which fee an item's category gets: vinyl is no medium, and bass alone is a fish."""

from __future__ import annotations

import pytest

from whence.packs.resale.pricing.fee_categories import category_fee
from whence.packs.resale.pricing.fee_table import read_fees
from whence.packs.resale.pricing.fees import sale_fee

FIXED = 0.40


def ebay(category: str | None, price: float) -> float:
    """The fee that eBay's table gives for a sale without shipping."""
    place = read_fees()["ebay"]
    return sale_fee(price, place, category_fee(place, category))


@pytest.mark.parametrize(
    ("category", "percent"),
    [
        (None, 13.6),
        ("headphones", 13.6),
        ("Music > Vinyl Records", 13.6),
        ("vinyl", 13.6),
        ("Vinyl Music LPs", 13.6),
        ("Music > CDs", 15.3),
        ("Books & Magazines", 15.3),
        ("Books / Fiction", 15.3),
        ("Movies & TV > DVDs & Blu-ray Discs", 15.3),
        ("e-book readers", 13.6),
        ("Notebooks", 13.6),
        ("Collectibles > Comic Books & Memorabilia", 13.25),
        ("Sports Trading Cards", 13.25),
        ("Sporting Goods > Fishing > Bass Lures", 13.6),
        ("bass", 13.6),
        ("Musical Instruments & Gear > Guitars & Basses > Bass Guitars", 6.7),
        ("Musical Instruments > Bass", 6.7),
        ("Coins & Paper Money", 13.25),
        ("Women's Coin Purses", 13.6),
        ("Clothing, Shoes & Accessories > Women > Women's Bags & Handbags", 15.0),
        ("Men's Bags", 13.6),
        ("Jewelry & Watches > Fashion Jewelry > Necklaces & Pendants", 15.0),
        ("Jewelry Boxes", 13.6),
        ("Jewelry & Watches > Watches, Parts & Accessories > Wristwatches", 15.0),
        ("Cell Phones > Smart Watches", 13.6),
        ("Men's Shoes > Athletic Shoes", 13.6),
    ],
)
def test_a_sale_of_100_pays_the_rate_of_its_category(category: str | None, percent: float) -> None:
    assert ebay(category, 100.0) == pytest.approx(percent + FIXED)


@pytest.mark.parametrize(
    ("category", "price", "fee"),
    [
        ("Jewelry", 5000.0, 750 + FIXED),
        ("Jewelry", 5001.0, 5001 * 0.09 + FIXED),
        ("Wristwatches", 2000.0, 150 + 65 + FIXED),
        ("Wristwatches", 8000.0, 150 + 6500 * 0.065 + 500 * 0.03 + FIXED),
        ("Handbags", 2000.0, 300 + FIXED),
        ("Handbags", 2500.0, 225 + FIXED),
        ("Sneakers", 149.99, 149.99 * 0.136 + FIXED),
        ("Sneakers", 150.0, 12.0),
        ("Kids' Sneakers", 150.0, 150 * 0.136 + FIXED),
        ("Bullion", 8000.0, 560 + FIXED),
        ("Heavy Equipment", 20_000.0, 450 + 25 + FIXED),
        ("Guitars", 10_000.0, 7500 * 0.067 + 2500 * 0.0235 + FIXED),
    ],
)
def test_tiers_are_those_of_ebays_table(category: str, price: float, fee: float) -> None:
    assert ebay(category, price) == pytest.approx(fee)


def test_a_table_is_dated_by_the_day_it_was_read_or_says_that_it_is_not_confirmed() -> None:
    fees = read_fees()
    assert {key for key, place in fees.items() if place.read is not None} == {"ebay", "mercari"}
    assert all(place.page for place in fees.values() if place.read is not None)
