"""Recomputes figures from cited evidence, before claims with them are saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from whence.packs.resale.pricing.demand import demand
from whence.packs.resale.pricing.estimate import recompute_band
from whence.packs.resale.pricing.fee_table import Marketplace
from whence.packs.resale.pricing.fees import Proceeds, SellerCosts, net_proceeds
from whence.packs.resale.pricing.market import Coverage
from whence.packs.resale.pricing.params import BandParams
from whence.sdk.evidence import BundledEvidence

from .priced import comp_of, money, profitable_floor
from .state import COMP, FEES

PRICE, DEMAND, PROCEEDS = "resale.price_band@2", "resale.demand@2", "resale.proceeds@2"

Cited = Sequence[BundledEvidence]
Settings = Mapping[str, Any]


def price_band(cited: Cited, settings: Settings) -> float | None:
    """`floor`, `target` or `ceiling` of the cited comparables; a floor that was raised so that
    nothing is lost names the marketplace, whose fees are cited, too."""
    figures = _bands(cited, settings)
    value = figures.get(settings["band"])
    if value is None:
        return None
    sale = _sale(cited, settings, figures["target"]) if "marketplace" in settings else None
    return money(profitable_floor(value, figures["target"], sale))


def demand_signal(cited: Cited, settings: Settings) -> float | None:
    """One demand signal of the cited comparables, to four digits."""
    signals = demand(
        [comp_of(item) for item in cited],
        datetime.fromisoformat(settings["now"]),
        coverage=[Coverage(**each) for each in settings["coverage"]],
        active_searched=settings["active_searched"],
        least_relevance=0.0,  # what is cited is the same product
    )
    value = next(s.value for s in signals.signals() if s.name == settings["signal"])
    return None if value is None else round(value, 4)


def proceeds(cited: Cited, settings: Settings) -> float | None:
    """The proceeds of the target price on a marketplace, by the cited fee table."""
    target = _bands(cited, settings).get("target")
    sale = None if target is None else _sale(cited, settings, target)
    return None if sale is None else money(sale.net)


def _bands(cited: Cited, settings: Settings) -> Mapping[str, float]:
    return recompute_band(
        [comp_of(item) for item in cited if item.judgement.role == COMP],
        BandParams.model_validate(settings["params"]),
    )


def _sale(cited: Cited, settings: Settings, target: float) -> Proceeds | None:
    key: str = settings["marketplace"]
    fees = next((item for item in cited if item.judgement.role == FEES), None)
    if fees is None:
        return None
    [sale] = net_proceeds(
        money(target),
        {key: Marketplace.model_validate(fees.evidence.data)},
        currency=settings["currency"],
        category=settings["category"],
        costs=SellerCosts(**settings["costs"]),
    )
    return sale


RECOMPUTATIONS = {PRICE: price_band, DEMAND: demand_signal, PROCEEDS: proceeds}
