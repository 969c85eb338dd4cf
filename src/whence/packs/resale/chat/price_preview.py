"""The price as it would be if the owner counted other listings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from whence.packs.resale.flows.nodes.analyze_comps import CHOSEN_RELEVANCE
from whence.packs.resale.flows.priced import comp_of, costs_of, params_of
from whence.packs.resale.flows.selling import raise_floor
from whence.packs.resale.pricing.bands import NotEnough, PriceBands, price_bands
from whence.packs.resale.pricing.fee_table import read_fees
from whence.packs.resale.pricing.fees import net_proceeds
from whence.packs.resale.records import ListingChoice, listing_key
from whence.packs.resale.settings import read_settings
from whence.sdk.chat import RecordView
from whence.sdk.evidence import BundledEvidence

from .basis import amount, body_of, item_of
from .listing_choices import comps_in


def preview(view: RecordView, choices: Mapping[str, str]) -> str:
    """What the price would be with these choices, beside what it is."""
    body = body_of(view)
    if body is None:
        return "There is no research yet whose price this could change."
    before = item_of(view).listing_choices
    comps = [
        _chosen(each, before, choices) for each in comps_in(view) if _counts(each, before, choices)
    ]
    item, settings = item_of(view), read_settings()
    params = params_of(item, body.identification, body.as_of, settings)
    bands = price_bands(
        [comp_of(each) for each in comps], item.condition, params.now, params=params
    )
    if isinstance(bands, NotEnough):
        return f"There would be no price any more: {bands.reason}"
    sales = net_proceeds(
        bands.target.amount,
        read_fees(settings.fee_table),
        currency=item.currency,
        category=item.category or body.identification.category,
        costs=costs_of(item, params),
    )
    return f"The price would be: {'; '.join(_changed(raise_floor(bands, sales)[0], view))}."


def _changed(bands: PriceBands, view: RecordView) -> list[str]:
    words: list[str] = []
    for name, band in (
        ("floor", bands.floor),
        ("target", bands.target),
        ("ceiling", bands.ceiling),
    ):
        claim = view.claim(f"price.{name}.amount")
        value = claim.value if claim else None
        was = (
            f" (now {amount(float(value), bands.currency)})"
            if isinstance(value, int | float)
            else ""
        )
        words.append(f"{name} {amount(band.amount, bands.currency)}{was}")
    return words


def _counts(
    comp: BundledEvidence, before: Mapping[str, ListingChoice], choices: Mapping[str, str]
) -> bool:
    """Whether a listing counts under these choices; without one, its relevance decides."""
    key = listing_key(comp.evidence.source, comp.evidence.source_id)
    if key in choices:
        return choices[key] == ListingChoice.INCLUDE
    if key in before:
        return (comp.judgement.relevance or 0.0) >= read_settings().kept_relevance
    return comp.judgement.included


def _chosen(
    comp: BundledEvidence, before: Mapping[str, ListingChoice], choices: Mapping[str, str]
) -> BundledEvidence:
    key = listing_key(comp.evidence.source, comp.evidence.source_id)
    if choices.get(key) != ListingChoice.INCLUDE or key in before:
        return comp
    return replace(comp, judgement=replace(comp.judgement, relevance=CHOSEN_RELEVANCE))
