"""The price as it would be if the owner counted other listings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from whence.packs.resale.flows.nodes.analyze_comps import CHOSEN_RELEVANCE
from whence.packs.resale.flows.priced import comp_of, costs_of, money, params_of
from whence.packs.resale.flows.selling import raise_floor
from whence.packs.resale.pricing.bands import Band, NotEnough, PriceBands, price_bands
from whence.packs.resale.pricing.fee_table import read_fees
from whence.packs.resale.pricing.fees import net_proceeds
from whence.packs.resale.records import ListingChoice, listing_key
from whence.packs.resale.settings import read_settings
from whence.sdk.chat import Recomputed, RecomputedFigure, RecordView
from whence.sdk.evidence import BundledEvidence

from .basis import amount, body_of, item_of
from .listing_choices import comps_in

NO_RESEARCH = "There is no research yet whose price this could change."


def preview(view: RecordView, choices: Mapping[str, str]) -> str:
    """What the price would be with these choices, beside what it is, in a sentence."""
    return recompute(view, choices).summary


def recompute(view: RecordView, choices: Mapping[str, str]) -> Recomputed:
    """The bands as they would be with these choices, beside what they are."""
    body = body_of(view)
    if body is None:
        return Recomputed(NO_RESEARCH)
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
        words = f"There would be no price any more: {bands.reason}"
        return Recomputed(words, _figures(view, None))
    bands = bands.limited_by(body.identification.confidence)
    sales = net_proceeds(
        bands.target.amount,
        read_fees(settings.fee_table),
        currency=item.currency,
        category=item.category or body.identification.category,
        costs=costs_of(item, params),
    )
    figures = _figures(view, raise_floor(bands, sales)[0])
    return Recomputed(
        f"The price with this choice: {'; '.join(map(_in_words, figures[:3]))}.", figures
    )


def _figures(view: RecordView, bands: PriceBands | None) -> list[RecomputedFigure]:
    """Floor, target and ceiling, and how many listings are behind them."""
    currency, figures = item_of(view).currency, list[RecomputedFigure]()
    for name in ("floor", "target", "ceiling"):
        claim = view.claim(f"price.{name}.amount")
        band: Band | None = getattr(bands, name) if bands else None
        was = claim.value if claim else None
        figures.append(
            RecomputedFigure(
                path=f"price.{name}.amount",
                label=name.capitalize(),
                before=float(was) if isinstance(was, int | float) else None,
                after=money(band.amount) if band else None,
                unit=currency,
                confidence_before=claim.confidence if claim else None,
                confidence_after=band.confidence if band else None,
            )
        )
    body = body_of(view)
    counted = float(len(body.price.used)) if body and body.price else None
    after = float(len(bands.used)) if bands else None
    used = RecomputedFigure("comps.priced", "Listings behind it", counted, after, "listings")
    return [*figures, used]


def _in_words(figure: RecomputedFigure) -> str:
    was = f" instead of {amount(figure.before, figure.unit)}" if figure.before is not None else ""
    return f"{figure.label.lower()} {amount(figure.after or 0.0, figure.unit)}{was}"


def _counts(
    comp: BundledEvidence, before: Mapping[str, ListingChoice], choices: Mapping[str, str]
) -> bool:
    """Whether a listing counts under these choices; without one, its relevance decides."""
    key = listing_key(comp.evidence.source, comp.evidence.source_id)
    if key in choices:
        return choices[key] == ListingChoice.INCLUDE
    if key in before:
        # Without the choice the listing is judged again: what the owner had included was left out
        # before that, and an excluded one kept its relevance.
        kept = read_settings().kept_relevance
        was_excluded = before[key] is ListingChoice.EXCLUDE
        return was_excluded and (comp.judgement.relevance or 0.0) >= kept
    return comp.judgement.included


def _chosen(
    comp: BundledEvidence, before: Mapping[str, ListingChoice], choices: Mapping[str, str]
) -> BundledEvidence:
    key = listing_key(comp.evidence.source, comp.evidence.source_id)
    if choices.get(key) != ListingChoice.INCLUDE or key in before:
        return comp
    return replace(comp, judgement=replace(comp.judgement, relevance=CHOSEN_RELEVANCE))
