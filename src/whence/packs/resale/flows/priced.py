"""The price of a run's comparables, computed in one place from stored evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from whence.packs.resale.identification.records import ProductIdentification
from whence.packs.resale.pricing.assumptions import (
    Assumptions,
    read_assumptions,
    shipped_assumptions,
)
from whence.packs.resale.pricing.bands import NotEnough, PriceBands, price_bands
from whence.packs.resale.pricing.comps import Comp
from whence.packs.resale.pricing.fees import Proceeds, SellerCosts
from whence.packs.resale.pricing.params import BandParams, band_params
from whence.packs.resale.records import Item, Listing
from whence.packs.resale.settings import ResaleSettings
from whence.packs.resale.weights import kilograms
from whence.sdk.evidence import BundledEvidence
from whence.sdk.research import RunContext

from .state import COMP, ResearchState

HEAVY_KG = 2.0
"""From this weight on, sending a thing costs more than the typical amount of small parcels."""
CENTS = 2
"""Decimals of an amount on screen and in a claim."""


def comps_of(bundle: Sequence[BundledEvidence], *, included: bool = True) -> list[Comp]:
    """Bundled listings as comps, with the relevance this run gave them."""
    return [comp_of(item) for item in bundle if item.judgement.included or not included]


def comp_of(item: BundledEvidence) -> Comp:
    """One bundled listing as a comp."""
    listing = Listing.model_validate(item.evidence.data)
    return Comp.from_listing(item.evidence.id, listing, item.judgement.relevance or 0.0)


def params_of(
    item: Item, named: ProductIdentification, as_of: str, settings: ResaleSettings
) -> BandParams:
    """The parameters of a price: a fixed time, the item's condition and currency, the operator's
    thresholds and assumptions."""
    return band_params(
        datetime.fromisoformat(as_of),
        condition=item.condition,
        currency=item.currency,
        category=item.category or named.category,
        assumptions=assumptions_of(settings),
        least_relevance=settings.priced_relevance,
    )


def assumptions_of(settings: ResaleSettings) -> Assumptions:
    """The shipped assumptions, or the operator's own file."""
    path: Path | None = settings.assumptions
    return read_assumptions(path) if path else shipped_assumptions()


def costs_of(item: Item, params: BandParams) -> SellerCosts:
    """What a sale of this item costs its owner besides fees.

    For a thing that is heavy according to its record, no typical shipping is assumed.
    """
    is_heavy = (kilograms(item.attributes) or 0.0) > HEAVY_KG
    typical = None if is_heavy else params.shipping_typical
    return SellerCosts(shipping=item.shipping_cost, typical_shipping=typical, cost=item.cost)


def profitable_floor(floor: float, target: float, sale: Proceeds | None) -> float:
    """The floor, raised to where a sale there loses nothing; never above the target."""
    return floor if sale is None else min(target, max(floor, sale.break_even))


async def price(
    state: ResearchState, run: RunContext, item: Item
) -> tuple[PriceBands | NotEnough, BandParams, list[BundledEvidence]]:
    """Bands, their dependencies, and every comparable of the run."""
    bundle = await run.bundle(COMP)
    named = ProductIdentification.model_validate(state["identification"])
    params = params_of(item, named, state["as_of"], run.service(ResaleSettings))
    bands = price_bands(comps_of(bundle), item.condition, params.now, params=params)
    if isinstance(bands, PriceBands):
        bands = bands.limited_by(named.confidence)
    return bands, params, bundle


def money(amount: float) -> float:
    """Rounded to cents."""
    return round(amount, CENTS)


def json_of(params: BandParams) -> Mapping[str, Any]:
    """Parameters as stored in a claim."""
    return params.model_dump(mode="json")
