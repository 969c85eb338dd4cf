"""Changed copies of labelled pairs: the variety that the shared sets lack.

Made by us, with the label kept: titles in part in another language, codes on one side only, a
colour or region added to a code, a shop's page title, a specification, nothing but the title.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace

from whence.packs.resale.matching.languages import ENGLISH
from whence.packs.resale.matching.profile import looks_like_code
from whence.packs.resale.matching.scorer import Product
from whence.packs.resale.records import Listing

Offers = tuple[Product, Listing]
Change = Callable[[str, random.Random], str]

FILLERS = {
    "de": ("und", "mit", "für", "neu", "kaufen", "günstig", "bei", "Zubehör"),
    "fr": ("avec", "pour", "et", "le", "achat", "prix", "livraison"),
    "es": ("con", "para", "y", "de", "comprar", "precio", "oferta"),
    "it": ("con", "per", "e", "di", "prezzo", "offerta", "acquista"),
    "nl": ("met", "voor", "en", "van", "kopen", "prijzen"),
}
"""Joining words of a language first, then words of its shops."""
SHOPS = (
    "Camera Toronto Canada Store", "buy and offers online", "All Tech Shop", "Page 3 | Deal House",
    "Wholesale & Retail | PartsPoint", "SHIPS FREE!", "Price Comparison", "Best Buy Outlet UK",
    "Online Shop", "Reviews & Specs",
)  # fmt: skip
SPECIFICATIONS = (
    "DDR3", "DDR4 2400MHz", "1080p", "4K", "USB 3.0", "SATA III", "LGA1151", "AM4", "802.11ac",
    "UHS-I", "Class 10", "IP67", "Bluetooth 4.0", "2560x1440",
)  # fmt: skip
SUFFIXES = ("-BK", "-001", "/B", "-EU", "B", "-101", "K", "-W", "-US")
_JOINING = frozenset({"with", "for", "and", "of", "the", "in"})
_BARE: dict[str, object] = {"brand": None, "model": None, "price": None, "description": ""}

TRANSLATIONS: defaultdict[str, list[str]] = defaultdict(list)
for _foreign, _english in ENGLISH.items():
    TRANSLATIONS[_english].append(_foreign)


def is_code(word: str) -> bool:
    return looks_like_code(re.sub(r"[^a-z0-9]", "", word.lower()))


def without_codes(title: str, _: random.Random) -> str:
    kept = [word for word in title.split() if not is_code(word)]
    return " ".join(kept) if len(kept) >= 3 else title


def in_another_language(title: str, rng: random.Random) -> str:
    fillers = FILLERS[rng.choice(list(FILLERS))]
    words: list[str] = []
    for word in title.split():
        plain = re.sub(r"[^a-z]", "", word.lower())
        single = plain[:-1] if plain.endswith("s") and len(plain) > 3 else plain
        if single in TRANSLATIONS and rng.random() < 0.85:
            words.append(rng.choice(TRANSLATIONS[single]))
        else:
            words.append(rng.choice(fillers[:3]) if plain in _JOINING else word)
    for _ in range(rng.randint(1, 3)):
        words.insert(rng.randint(0, len(words)), rng.choice(fillers))
    return " ".join(words)


def on_a_shops_page(title: str, rng: random.Random) -> str:
    return title + rng.choice((' " ', " | ", " - ", " ")) + rng.choice(SHOPS)


def with_a_suffix(title: str, rng: random.Random) -> str:
    words = title.split()
    codes = [at for at, word in enumerate(words) if is_code(word) and len(word) >= 5]
    if codes:
        words[rng.choice(codes)] += rng.choice(SUFFIXES)
    return " ".join(words)


def with_a_specification(title: str, rng: random.Random) -> str:
    return f"{title} {rng.choice(SPECIFICATIONS)}"


CHANGES: tuple[Change, ...] = (
    without_codes, in_another_language, on_a_shops_page, with_a_suffix, with_a_specification,
)  # fmt: skip


def titles_only(product: Product, listing: Listing) -> Offers:
    """Both with nothing but their titles, as many web offers are."""
    return replace(product, **_BARE), listing.model_copy(update=_BARE)


def changed(product: Product, listing: Listing, rng: random.Random) -> Offers:
    """One or two changes of one side each; half of the pairs lose all but their titles."""
    for change in rng.sample(CHANGES, rng.choice((1, 1, 2))):
        if rng.random() < 0.5:
            product = replace(product, title=change(product.title, rng))
        else:
            listing = listing.model_copy(update={"title": change(listing.title, rng)})
    if rng.random() < 0.5:
        product, listing = titles_only(product, listing)
    if rng.random() < 0.2:
        shared = rng.choice(SPECIFICATIONS)
        product = replace(product, title=f"{product.title} {shared}")
        listing = listing.model_copy(update={"title": f"{listing.title} {shared}"})
    return product, listing
