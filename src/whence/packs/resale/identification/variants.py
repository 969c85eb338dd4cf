"""Variants that nobody has decided: kept comps say different things where the item says nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from whence.packs.resale.matching.catalogue import Catalogue
from whence.packs.resale.matching.profile import Profile, profile
from whence.packs.resale.pricing.comps import Comp
from whence.packs.resale.pricing.missing import Variant

from .records import ProductIdentification

LEAST_COMPS = 2
"""Comps that a value needs before it counts as a variant that is really sold."""
_UNCOUNTED = Catalogue(1, {})
"""Measures and colours are the same in every catalogue."""
_CAPACITIES = {"gb": "capacity", "tb": "capacity", "inch": "size"}


def undecided(product: ProductIdentification, titled: Sequence[tuple[str, Comp]]) -> list[Variant]:
    """Attributes with at least two values among the comps, each with the comps of that value."""
    stated = profile(
        " ".join([product.title, *product.variant.values()]), _UNCOUNTED, product.model or ""
    )
    by_value: dict[tuple[str, str], list[Comp]] = defaultdict(list)
    for title, comp in titled:
        for key in _stated_values(profile(title, _UNCOUNTED)):
            by_value[key].append(comp)
    decided = {attribute for attribute, _ in _stated_values(stated)}
    all_variants = [
        Variant(attribute, value, tuple(comps))
        for (attribute, value), comps in sorted(by_value.items())
        if attribute not in decided and len(comps) >= LEAST_COMPS
    ]
    return [variant for variant in all_variants if _has_rival(variant, all_variants)]


def _stated_values(text: Profile) -> Iterable[tuple[str, str]]:
    for unit, attribute in _CAPACITIES.items():
        for amount in sorted(text.measures.get(unit, ())):
            yield attribute, f"{amount:g}{unit}"
    for colour in sorted(text.colours):
        yield "colour", colour


def _has_rival(variant: Variant, others: Sequence[Variant]) -> bool:
    return any(
        other.attribute == variant.attribute and other.value != variant.value for other in others
    )
