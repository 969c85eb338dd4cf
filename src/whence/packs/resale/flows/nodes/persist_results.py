"""Writes the dossier, its claims and the item's review state in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast
from uuid import UUID

from whence.packs.resale.flows.claims import fees_origin
from whence.packs.resale.flows.dossier import Basis, draft
from whence.packs.resale.flows.priced import price
from whence.packs.resale.flows.sources import sources_for
from whence.packs.resale.flows.state import FEES, ResearchState, Update
from whence.packs.resale.identification.records import ProductIdentification
from whence.packs.resale.identification.rules import TITLE_ONLY
from whence.packs.resale.pricing.fee_table import Marketplace, read_fees
from whence.packs.resale.records import AiReviewState
from whence.packs.resale.settings import ResaleSettings
from whence.sdk.evidence import Finding, Judgement
from whence.sdk.research import RunContext, node
from whence.sdk.values import now

from .load_context import load_item

UNDONE = {
    "load_context": "the record was not read",
    "analyze_media": "photographs were not looked at",
    "identify_product": "the product was not identified",
    "search_comps": "no comparables were searched for",
    "analyze_comps": "not all comparables were judged",
    "calculate_price": "no price was calculated",
    "assess_missing": "what is missing was not assessed",
    "refine_search": "no further search was made",
    "persist_results": "the dossier was not written as a whole",
}
"""What a dossier lists as not done, per node."""


@node(title="Save the conclusions")
async def persist_results(state: ResearchState, run: RunContext) -> Update:
    """Saves the dossier as the current one; the previous one moves to the history."""
    await _save(state, run, ())
    return {}


@node(title="Save what there is")
async def persist_partial(state: ResearchState, run: RunContext) -> Update:
    """Saves the findings of a run whose budget is used up, and lists what it did not do."""
    item = await load_item(run)
    early = run.ended_early
    assert early is not None
    not_done = [early.reason, *(UNDONE[node] for node in early.nodes)]
    unnamed = ProductIdentification(
        title=item.title, confidence=TITLE_ONLY, reason="the run ended before it was identified"
    )
    blank: Update = {
        "as_of": now().isoformat(),
        "photos": [],
        "seen": {},
        "identification": unnamed.model_dump(mode="json"),
        "identification_method": "rules:none@1",
        "iteration": 0,
        "queries": [],
        "sources": [],
        "hints": [],
        "fallbacks": [],
    }
    await _save(cast("ResearchState", {**blank, **state}), run, not_done)
    return {}


async def _save(state: ResearchState, run: RunContext, not_done: list[str] | tuple[()]) -> None:
    item = await load_item(run)
    bands, params, _ = await price(state, run, item)
    fees = {
        key: place
        for key, place in read_fees(run.service(ResaleSettings).fee_table).items()
        if place.currency == item.currency
    }
    fee_evidence = await _keep_fees(run, fees)
    basis = Basis(item, bands, params, await run.bundle(), fees, fee_evidence)
    dossier = draft(state, sources_for(run), basis, not_done)
    async with run.fenced() as session:
        await run.save(session, dossier)
        await run.change(session, {"ai_review_state": AiReviewState.NEEDS_REVIEW.value})


async def _keep_fees(run: RunContext, fees: Mapping[str, Marketplace]) -> dict[str, UUID]:
    ids = await run.keep([fee_finding(key, place) for key, place in fees.items()])
    await run.judge([fee_judgement(key) for key in ids])
    return dict(zip(fees, ids, strict=True))


def fee_finding(key: str, place: Marketplace) -> Finding:
    """A marketplace's fees as evidence."""
    return Finding(
        source="fee_table",
        source_id=key,
        title=f"Fees of {place.name}",
        content=f"{place.name}: fees as of {place.effective}, {fees_origin(place)}, {place.source}",
        url=place.page,
        data=place.model_dump(mode="json"),
    )


def fee_judgement(key: UUID) -> Judgement:
    """Fees are always included."""
    reason = "fees of this marketplace, for the net proceeds"
    return Judgement(key, FEES, included=True, reason=reason)
