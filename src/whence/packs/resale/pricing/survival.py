"""Time to sell, including listings that have not sold yet: the Kaplan-Meier estimator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spell:
    """A listing's time on offer, in days; `sold` is False if it is still listed or ended unsold."""

    days: float
    sold: bool


def median_days(spells: Sequence[Spell]) -> float | None:
    """Days after which half would have sold, or None if the curve never falls to one half.

    Kaplan and Meier (1958): survival falls by (1 - sales / still on offer) at each day of a sale; a
    listing that ended unsold, or is still active, counts as on offer up to its last day. Without
    them, the estimate would be too optimistic.
    """
    surviving = 1.0
    for day in sorted({spell.days for spell in spells if spell.sold}):
        on_offer = sum(spell.days >= day for spell in spells)
        sales = sum(spell.sold and spell.days == day for spell in spells)
        surviving *= 1 - sales / on_offer
        if surviving <= 0.5:
            return day
    return None
