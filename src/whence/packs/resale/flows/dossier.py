"""Builds the dossier draft from a run's state and evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from whence.packs.resale.identification.records import ProductIdentification
from whence.packs.resale.pricing.bands import Band, NotEnough, PriceBands
from whence.packs.resale.pricing.demand import Signal, demand
from whence.packs.resale.pricing.fee_table import Marketplace
from whence.packs.resale.pricing.fees import Proceeds
from whence.packs.resale.pricing.params import BandParams
from whence.packs.resale.pricing.reasoning import IDENTITY_HELPS
from whence.packs.resale.records import Item
from whence.packs.resale.sources.base import Offer, Source
from whence.sdk.evidence import BundledEvidence, ClaimDraft, DossierDraft

from . import claims
from .coverage import active_searched, coverage_of
from .dossier_schema import (
    SCHEMA_VERSION,
    BandView,
    CountsView,
    HintView,
    ItemDossier,
    LeftOutView,
    MarketplaceView,
    NotEnoughView,
    PhotoView,
    PriceView,
    SearchView,
    SeenView,
    SignalView,
    SourceView,
    UsedView,
)
from .figures import RECOMPUTATIONS
from .outages import refusing, unanswered
from .priced import comp_of, comps_of, json_of, money
from .selling import Selling, selling
from .state import AI_ANALYSIS, CATALOGUE, COMP, PHOTO, RECORD, ResearchState, SourceReport

__all__ = ["RECOMPUTATIONS", "Basis", "draft"]

IDENTIFYING_ROLES = (RECORD, PHOTO, CATALOGUE, AI_ANALYSIS)
"""The roles of evidence that says what the item is."""
CODED_LISTING = "A listing that names its barcode (GTIN), or its exact model number"
"""What would help an item whose barcode is known, if no listing is certainly the product."""


@dataclass(frozen=True)
class Basis:
    """The inputs of a dossier, all read before the transaction that saves it."""

    item: Item
    bands: PriceBands | NotEnough
    params: BandParams
    bundle: Sequence[BundledEvidence]
    fees: Mapping[str, Marketplace]
    fee_evidence: Mapping[str, UUID]


def draft(
    state: ResearchState,
    sources: Sequence[Source],
    basis: Basis,
    not_done: Sequence[str] = (),
) -> DossierDraft:
    """The dossier with its claims; the engine checks each claim against its evidence."""
    product = ProductIdentification.model_validate(state["identification"])
    comps = [item for item in basis.bundle if item.judgement.role == COMP]
    searched = active_searched(state)
    now = datetime.fromisoformat(state["as_of"])
    coverage = coverage_of(state["sources"], comps)
    least = basis.params.least_relevance
    signals = demand(
        comps_of(comps), now, coverage=coverage, active_searched=searched, least_relevance=least
    ).signals()
    away = unanswered(state["sources"], sources)
    not_done = [*not_done, *(f"{title} was not searched: it did not answer" for title in away)]
    sold = selling(
        basis.item,
        basis.item.category or product.category,
        basis.bands,
        basis.params,
        basis.fees,
        basis.fee_evidence,
    )
    body = ItemDossier(
        identification=product,
        identification_method=state["identification_method"],
        identified_at=state.get("identified_at"),
        price=_price(sold.bands) if isinstance(sold.bands, PriceBands) else None,
        not_enough=_not_enough(basis, product, comps, _gaps(state, sources)),
        demand=[SignalView.model_validate(asdict(signal)) for signal in signals],
        missing=[HintView.model_validate(hint) for hint in state["hints"]],
        marketplaces=[_marketplace(sale) for sale in sold.sales],
        comps=_counts(comps, sold.bands),
        sources=_sources(state, sources, basis.bundle),
        photos=[PhotoView.model_validate(photo) for photo in state["photos"]],
        seen=_seen(state),
        queries=state["queries"],
        iterations=state["iteration"],
        fallbacks=state["fallbacks"],
        not_done=list(not_done),
        as_of=state["as_of"],
    )
    return DossierDraft(
        schema_version=SCHEMA_VERSION,
        summary=_summary(product, sold.bands, state, _gaps(state, sources)),
        body=body.model_dump(mode="json", by_alias=True),
        claims=tuple(_claims(state, basis, product, comps, signals, sold)),
        partial=bool(not_done),
        not_done=tuple(not_done),
    )


def _claims(
    state: ResearchState,
    basis: Basis,
    product: ProductIdentification,
    comps: Sequence[BundledEvidence],
    signals: Sequence[Signal],
    sold: Selling,
) -> list[ClaimDraft]:
    facts = [i for i in basis.bundle if i.judgement.role in IDENTIFYING_ROLES]
    drafts = list(claims.identity_claims(product, state["identification_method"], facts))
    drafts += claims.seen_claims(_seen(state), facts)
    if isinstance(sold.bands, PriceBands):
        params = json_of(basis.params)
        category = basis.item.category or product.category
        drafts += claims.price_claims(sold.bands, params, sold.raised)
        drafts += claims.proceeds_claims(
            sold.bands, sold.sales, basis.fee_evidence, params, category, sold.costs
        )
    least = basis.params.least_relevance
    sure = [
        item.evidence.id
        for item in comps
        if item.judgement.included and comp_of(item).relevance >= least
    ]
    searched = active_searched(state)
    coverage = coverage_of(state["sources"], comps)
    drafts += claims.demand_claims(
        signals, sure, state["as_of"], coverage, active_searched=searched
    )
    return drafts


def _price(bands: PriceBands) -> PriceView:
    left_out = [(one.evidence_id, one.reason) for one in bands.left_out]
    return PriceView(
        currency=bands.currency,
        floor=_band(bands.floor),
        target=_band(bands.target),
        ceiling=_band(bands.ceiling),
        effective_size=round(bands.effective_size, 2),
        width=round(bands.width, 4),
        used=[
            UsedView(
                evidence_id=str(used.evidence_id),
                amount=money(used.amount),
                share=round(used.share, 4),
                is_bound=used.is_bound,
            )
            for used in bands.used
        ],
        trimmed=[
            LeftOutView(evidence_id=str(t.evidence_id), reason=t.reason) for t in bands.trimmed
        ],
        left_out=[LeftOutView(evidence_id=str(key), reason=reason) for key, reason in left_out],
    )


def _band(band: Band) -> BandView:
    return BandView(
        amount=money(band.amount), confidence=round(band.confidence, 4), reasoning=band.reasoning
    )


def _gaps(state: ResearchState, sources: Sequence[Source]) -> str:
    """Which sources the research had to do without, as a sentence; empty if there are none."""
    reports = state["sources"]
    parts = [
        f"{_listed(names)} {words}"
        for names, words in (
            (unanswered(reports, sources), "did not answer"),
            (refusing(reports, sources), "refused the search"),
        )
        if names
    ]
    return f"{'; '.join(parts)}." if parts else ""


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _not_enough(
    basis: Basis, product: ProductIdentification, comps: Sequence[BundledEvidence], gaps: str
) -> NotEnoughView | None:
    bands = basis.bands
    if isinstance(bands, PriceBands):
        return None
    has_gtin = product.gtin is not None or basis.item.gtin is not None
    settle = [
        CODED_LISTING if has_gtin and words == IDENTITY_HELPS else words
        for words in bands.would_settle
    ]
    if not gaps:
        return NotEnoughView(reason=bands.reason, would_settle=settle)
    # An empty answer is a finding only if every source gave one.
    reason = bands.reason if comps else "The other sources have no comparable listing."
    settle = ["Research it again once every source answers", *settle]
    return NotEnoughView(reason=f"{gaps} {reason}", would_settle=settle)


def _marketplace(sale: Proceeds) -> MarketplaceView:
    values: dict[str, Any] = asdict(sale)
    amounts = ("price", "fee", "shipping", "net", "break_even")
    return MarketplaceView.model_validate(values | {name: money(values[name]) for name in amounts})


def _counts(comps: Sequence[BundledEvidence], bands: PriceBands | NotEnough) -> CountsView:
    """`priced` is the number that the price's own reasoning names."""
    included = [item for item in comps if item.judgement.included]
    return CountsView(
        found=len(comps),
        included=len(included),
        priced=len(bands.used) if isinstance(bands, PriceBands) else 0,
        excluded=len(comps) - len(included),
    )


def _sources(
    state: ResearchState, sources: Sequence[Source], bundle: Sequence[BundledEvidence]
) -> list[SourceView]:
    views: list[SourceView] = []
    for source in sources:
        reports = [report for report in state["sources"] if report["source"] == source.id]
        availability = source.availability()
        role = COMP if source.offers & {Offer.SOLD, Offer.ACTIVE} else CATALOGUE
        entries = [i for i in bundle if i.judgement.role == role and i.evidence.source == source.id]
        views.append(
            SourceView(
                id=source.id,
                title=source.title,
                available=availability.available,
                setting=availability.setting,
                note=availability.note,
                found=len(entries),
                refused=list(dict.fromkeys(r for report in reports for r in report["refused"])),
                errors=list(dict.fromkeys(r["error"] for r in reports if r["error"])),
                searches=[SearchView.model_validate(_shown(report)) for report in reports],
            )
        )
    return views


def _shown(report: SourceReport) -> dict[str, Any]:
    return {name: value for name, value in report.items() if name in SearchView.model_fields}


def _seen(state: ResearchState) -> SeenView | None:
    seen = state["seen"]
    names = SeenView.model_fields
    return SeenView.model_validate({k: seen[k] for k in names}) if "method" in seen else None


def _open(questions: int) -> str:
    if not questions:
        return ""
    return f"; {questions} open question{'s' if questions > 1 else ''}"


def _summary(
    product: ProductIdentification, bands: PriceBands | NotEnough, state: ResearchState, gaps: str
) -> str:
    name = " ".join(part for part in (product.brand, product.model) if part) or product.title
    if isinstance(bands, NotEnough):
        return f"{name}: not enough evidence for a price. {gaps or bands.reason}"
    target, low, high = bands.target, bands.floor.amount, bands.ceiling.amount
    questions = sum(1 for hint in state["hints"] if hint["question"])
    summary = (
        f"{name}: {target.amount:.2f} {bands.currency} ({low:.2f} to {high:.2f}), confidence "
        f"{target.confidence:.2f}, from {len(bands.used)} comparables{_open(questions)}."
    )
    return f"{summary} {gaps}" if gaps else summary
