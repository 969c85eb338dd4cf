"""Recomputes figures from cited evidence, before claims with them are saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from whence.packs.resale.pricing.demand import demand
from whence.packs.resale.pricing.estimate import recompute_band
from whence.packs.resale.pricing.fee_table import Marketplace
from whence.packs.resale.pricing.fees import net_proceeds
from whence.packs.resale.pricing.params import BandParams
from whence.sdk.evidence import BundledEvidence

from .priced import comp_of, money
from .state import COMP, FEES

PRICE, DEMAND, PROCEEDS = "resale.price_band@1", "resale.demand@1", "resale.proceeds@1"

Cited = Sequence[BundledEvidence]
Settings = Mapping[str, Any]


def price_band(cited: Cited, settings: Settings) -> float | None:
    """`floor`, `target` or `ceiling` of the cited comparables."""
    figures = recompute_band(
        [comp_of(item) for item in cited if item.judgement.role == COMP],
        BandParams.model_validate(settings["params"]),
    )
    value = figures.get(settings["band"])
    return None if value is None else money(value)


def demand_signal(cited: Cited, settings: Settings) -> float | None:
    """One demand signal of the cited comparables, to four digits."""
    signals = demand(
        [comp_of(item) for item in cited],
        datetime.fromisoformat(settings["now"]),
        active_searched=settings["active_searched"],
    )
    value = next(s.value for s in signals.signals() if s.name == settings["signal"])
    return None if value is None else round(value, 4)


def proceeds(cited: Cited, settings: Settings) -> float | None:
    """The proceeds of the target price on a marketplace, by the cited fee table."""
    target = price_band(cited, {**settings, "band": "target"})
    fees = next((item for item in cited if item.judgement.role == FEES), None)
    if target is None or fees is None:
        return None
    place = Marketplace.model_validate(fees.evidence.data)
    key: str = settings["marketplace"]
    [sale] = net_proceeds(
        target, {key: place}, currency=settings["currency"], category=settings["category"]
    )
    return money(sale.net)


RECOMPUTATIONS = {PRICE: price_band, DEMAND: demand_signal, PROCEEDS: proceeds}
