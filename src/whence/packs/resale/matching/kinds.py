"""Variant words in titles: words that distinguish the products of a family."""

from __future__ import annotations

from dataclasses import dataclass

from .profile import Profile

VARIANTS: tuple[dict[str, str], ...] = (
    {
        **dict.fromkeys(("men", "man", "mens", "male", "gent", "herren"), "men"),
        **dict.fromkeys(
            ("women", "woman", "womens", "wmn", "female", "lady", "ladie", "damen"), "women"
        ),
        **dict.fromkeys(
            ("kid", "junior", "youth", "boy", "girl", "child", "children", "toddler", "infant"),
            "kids",
        ),
        "unisex": "unisex",
    },
    {
        **{
            word: word
            for word in (
                "standard", "pro", "premium", "deluxe", "ultimate", "home", "student",
                "enterprise", "platinum", "gold", "basic", "lite", "mini", "max",
                "elite", "ultra", "express", "business", "small",
            )
        },
        "plu": "plus",  # the singular that `words` writes
        "std": "standard",
        "professional": "pro",
        "dlx": "deluxe",
        "academic": "student",
        "education": "student",
    },
    {
        **dict.fromkeys(("upgrade", "upg", "update"), "upgrade"),
        **dict.fromkeys(("renewal", "subscription"), "renewal"),
        "full": "full",
    },
    {
        **dict.fromkeys(("mac", "macintosh", "osx"), "mac"),
        **dict.fromkeys(("win", "window"), "windows"),
        "linux": "linux",
    },
    {
        "i": "1", "ii": "2", "iii": "3", "iv": "4",
        "mk2": "2", "mkii": "2", "mk3": "3", "mkiii": "3",
    },
    {"low": "low", "mid": "mid", "high": "high", "hi": "high"},
    {
        **dict.fromkeys(("refurbished", "refurb", "remanufactured"), "refurbished"),
        "used": "used",
    },
)  # fmt: skip
"""Families of words of which a product has one: target group, edition, licence, platform, ..."""


@dataclass(frozen=True)
class VariantMatch:
    """Counts over the families of variant words."""

    conflict: int
    """Families in which both texts name a variant, but none in common."""
    onesided: int
    """Families in which only one text names a variant, or one names more."""


def compare_variants(item: Profile, listing: Profile) -> VariantMatch:
    """Compare the variant words of both texts, family by family."""
    conflict = onesided = 0
    for family in VARIANTS:
        mine = {family[word] for word in item.weight if word in family}
        theirs = {family[word] for word in listing.weight if word in family}
        if mine and theirs and not mine & theirs:
            conflict += 1
        elif mine != theirs:
            onesided += 1
    return VariantMatch(conflict, onesided)
