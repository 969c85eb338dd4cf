"""Measures and colours that agree or conflict: capacities, sizes, versions, pack counts."""

from __future__ import annotations

from dataclasses import dataclass

from .profile import Profile
from .specifications import DECISIVE


@dataclass(frozen=True)
class MeasureMatch:
    """Counts over units (gb, inch, pk, ...) and over numbers without a unit."""

    conflict: int
    """Units that both texts give, without a common value."""
    numbers_agree: int
    """Numbers without a unit that both texts give."""
    numbers_missing: int
    """Numbers without a unit that only the item gives."""
    numbers_surplus: int
    """Numbers without a unit that only the listing gives."""
    conflicting_unit: str = ""


def compare_measures(item: Profile, listing: Profile) -> MeasureMatch:
    """Compare units that both sides give, then the numbers without a unit."""
    conflict = 0
    unit_named = ""
    for unit, values in item.measures.items():
        others = listing.measures.get(unit)
        if not unit or others is None:
            continue
        if not values & others:
            conflict += 1
            unit_named = unit_named or unit
    mine, theirs = item.measures.get("", frozenset()), listing.measures.get("", frozenset())
    return MeasureMatch(
        conflict=conflict,
        numbers_agree=len(mine & theirs),
        numbers_missing=sum(f"{n:g}" not in listing.joined for n in mine - theirs),
        numbers_surplus=sum(f"{n:g}" not in item.joined for n in theirs - mine),
        conflicting_unit=unit_named,
    )


def colour_relation(item: Profile, listing: Profile) -> int:
    """1: a colour in common; -1: both name colours, none in common; 0: unknown."""
    if not item.colours or not listing.colours:
        return 0
    return 1 if item.colours & listing.colours else -1


def differing_specifications(item: Profile, listing: Profile) -> tuple[str, ...]:
    """Each decisive specification of which both texts give another value."""
    return tuple(
        f"{min(values)} vs {min(others)}"
        for family, values in item.specs.items()
        if family in DECISIVE and (others := listing.specs.get(family)) and not values & others
    )
