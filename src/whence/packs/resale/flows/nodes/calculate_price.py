"""Computes three price bands from the relevant comparables, or says what would help."""

from __future__ import annotations

from whence.packs.resale.flows.priced import price
from whence.packs.resale.flows.state import ResearchState, Update
from whence.packs.resale.pricing.bands import PriceBands
from whence.sdk.research import RunContext, node

from .load_context import load_item


@node(title="Work out the price")
async def calculate_price(state: ResearchState, run: RunContext) -> Update:
    """Adds the confidence that the listings give the target (0 without enough evidence): more of
    them cannot tell which product it is."""
    bands, _, _ = await price(state, run, await load_item(run))
    if not isinstance(bands, PriceBands):
        await run.report("Not enough evidence for a price")
        return {"confidence": 0.0}
    await run.report(f"Target {bands.target.amount:.2f} {bands.currency}")
    return {"confidence": bands.evidence_confidence}
