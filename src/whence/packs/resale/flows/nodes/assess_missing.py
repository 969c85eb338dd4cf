"""Ranks missing information by how much it would change the price."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import cast

from whence.packs.resale.flows.priced import comp_of, comps_of, price
from whence.packs.resale.flows.state import HintState, ResearchState, Update
from whence.packs.resale.identification.records import ProductIdentification
from whence.packs.resale.identification.variants import undecided
from whence.packs.resale.pricing.hints import Hint, Importance, should_refine
from whence.packs.resale.pricing.missing import assess_missing as missing
from whence.sdk.research import RunContext

from .load_context import load_item


async def assess_missing(state: ResearchState, run: RunContext) -> Update:
    """Adds the hints, the most important first."""
    item = await load_item(run)
    bands, params, bundle = await price(state, run, item)
    named = ProductIdentification.model_validate(state["identification"])
    included = [entry for entry in bundle if entry.judgement.included]
    titled = [(entry.evidence.title, comp_of(entry)) for entry in included]
    completed = item.model_copy(
        update={
            "gtin": item.gtin or named.gtin,
            "brand": item.brand or named.brand,
            "model": item.model or named.model,
        }
    )
    variants = undecided(named, titled)
    # Prices the item again for every possible answer, which takes a tenth of a second.
    hints = await asyncio.to_thread(missing, completed, comps_of(bundle), bands, params, variants)
    return {"hints": [cast("HintState", asdict(hint)) for hint in hints]}


def next_step(state: ResearchState) -> str:
    """The next node: search again, or save the results."""
    hints = [_hint(hint) for hint in state["hints"]]
    again = should_refine(state["iteration"], state["confidence"], hints)
    return "refine_search" if again else "persist_results"


def _hint(hint: HintState) -> Hint:
    return Hint(
        field=hint["field"],
        importance=Importance(hint["importance"]),
        question=hint["question"],
        why=hint["why"],
        effect=hint["effect"],
        amount=hint["amount"],
        currency=hint["currency"],
    )
