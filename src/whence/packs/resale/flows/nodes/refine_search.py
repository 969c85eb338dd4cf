"""Searches again with new queries."""

from __future__ import annotations

from whence.packs.resale.flows.searching import search
from whence.packs.resale.flows.state import ResearchState, Update
from whence.packs.resale.identification.queries import MORE_QUERIES, new_queries
from whence.packs.resale.identification.records import ProductIdentification
from whence.sdk.research import RunContext

from .load_context import load_item


async def refine_search(state: ResearchState, run: RunContext) -> Update:
    """Adds only new queries; counts the round even without any, so that refining ends."""
    product = ProductIdentification.model_validate(state["identification"])
    queries = new_queries(product, await load_item(run), state["queries"], MORE_QUERIES)
    reports = await search(run, queries, None)
    return {
        "queries": [*state["queries"], *queries],
        "sources": [*state["sources"], *reports],
        "iteration": state["iteration"] + 1,
    }
