"""Search queries, the most exact words first; a refinement asks only new ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from whence.packs.resale.matching.profile import COLOURS
from whence.packs.resale.matching.tokens import is_measure, words
from whence.packs.resale.pricing.missing import Variant
from whence.packs.resale.records import Item

from .records import ProductIdentification

MAX_QUERY_CHARACTERS = 120
"""Longer queries find nothing on marketplaces; eBay refuses more than 100 to 350 characters."""


def new_queries(
    product: ProductIdentification,
    item: Item,
    previous: Sequence[str],
    count: int,
    wanted: Sequence[str] = (),
) -> list[str]:
    """Up to `count` queries whose words were not asked before, in any order; `wanted` go first."""
    seen = {_key(query) for query in previous}
    queries: list[str] = []
    for query in chain(wanted, _candidates(product, item)):
        key = _key(query)
        if key and key not in seen and len(queries) < count:
            seen.add(key)
            queries.append(query)
    return queries


def queries_for_missing(
    product: ProductIdentification,
    missing: Sequence[str],
    variants: Sequence[Variant],
    models: Sequence[str],
) -> list[str]:
    """Queries for what is missing, by the fields of its hints.

    A variant that nobody has decided is searched for value by value, so that each has comparables
    of its own; an unknown model by the `models` of the nearest listings.
    """
    queries: list[str] = []
    for field in missing:
        attribute = field.removeprefix("attributes.")
        queries += [
            _joined([product.brand, product.model or product.title, variant.value])
            for variant in variants
            if attribute != field and variant.attribute == attribute
        ]
        if field == "model":
            queries += [_joined([product.brand, model]) for model in models]
    return queries


def _candidates(product: ProductIdentification, item: Item) -> Iterator[str]:
    variant = product.variant.values()
    yield _joined([product.brand, product.model or product.mpn, *variant])
    yield _joined([item.title])
    yield _joined([product.title])
    yield _joined([product.brand, product.model])
    if product.mpn:
        yield _joined([product.brand, product.mpn])
    yield _joined([product.brand, *_plain_words(item.title)])
    yield _joined([product.model])
    for alternative in product.alternatives:
        yield _joined([alternative.title])
    if product.category:
        yield _joined([product.brand, product.category])


def _plain_words(title: str) -> list[str]:
    """The title without colours and sizes, so that other variants are found for comparison."""
    return [word for word in words(title) if word not in COLOURS and not is_measure(word)]


def _joined(parts: Iterable[str | None]) -> str:
    unique: dict[str, str] = {}
    for part in parts:
        for word in (part or "").split():
            unique.setdefault(word.lower(), word)
    text = " ".join(unique.values())
    return (
        text[:MAX_QUERY_CHARACTERS].rsplit(" ", 1)[0] if len(text) > MAX_QUERY_CHARACTERS else text
    )


def _key(query: str) -> frozenset[str]:
    return frozenset(words(query))
