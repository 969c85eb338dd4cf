"""Ranks missing information by how much it would change the price."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import cast

from whence.packs.resale.flows.priced import comp_of, comps_of, price
from whence.packs.resale.flows.refreshing import searches
from whence.packs.resale.flows.state import HintState, ResearchState, Update
from whence.packs.resale.identification.queries import new_queries, queries_for_missing
from whence.packs.resale.identification.records import ProductIdentification
from whence.packs.resale.identification.variants import undecided
from whence.packs.resale.pricing.hints import Hint, Refinement, should_refine
from whence.packs.resale.pricing.missing import Variant
from whence.packs.resale.pricing.missing import assess_missing as missing
from whence.packs.resale.records import Item
from whence.packs.resale.settings import ResaleSettings
from whence.sdk.evidence import BundledEvidence
from whence.sdk.research import RunContext, node

from .load_context import load_item


@node(title="Rank what is missing")
async def assess_missing(state: ResearchState, run: RunContext) -> Update:
    """Adds the hints, the most important first, and the queries of a further search."""
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
    codes = [other.value for other in named.alternatives if other.attribute == "gtin"]
    hints = await asyncio.to_thread(
        missing, completed, comps_of(bundle), bands, params, variants, codes
    )
    return {
        "hints": [cast("HintState", asdict(hint)) for hint in hints],
        "next_queries": _next_queries(state, run, item, named, hints, variants, included),
    }


def next_step(state: ResearchState) -> str:
    """The next node: search again if there are new queries, or save the results."""
    return "refine_search" if state.get("next_queries") else "persist_results"


def _next_queries(
    state: ResearchState,
    run: RunContext,
    item: Item,
    named: ProductIdentification,
    hints: Sequence[Hint],
    variants: Sequence[Variant],
    included: Sequence[BundledEvidence],
) -> list[str]:
    """What a further search would ask; nothing if it is not worthwhile or would ask nothing new."""
    if not searches(run):
        return []
    settings = run.service(ResaleSettings)
    refinement = Refinement(
        settings.refine_confidence, settings.refine_effect, settings.max_searches
    )
    if not should_refine(state["iteration"], state["confidence"], hints, refinement):
        return []
    models = [str(entry.evidence.data.get("model") or "") for entry in included]
    common = [model for model, _ in Counter(filter(None, models)).most_common()]
    wanted = queries_for_missing(named, [hint.field for hint in hints], variants, common)
    return new_queries(named, item, state["queries"], settings.queries_per_search, wanted)
