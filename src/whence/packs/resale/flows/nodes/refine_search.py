"""Searches again with new queries, chosen by what is missing."""

from __future__ import annotations

from whence.packs.resale.flows.searching import search
from whence.packs.resale.flows.state import ResearchState, Update
from whence.sdk.research import RunContext, node


@node(title="Search again, wider")
async def refine_search(state: ResearchState, run: RunContext) -> Update:
    """Asks the queries that `assess_missing` chose; each is new."""
    queries = state.get("next_queries", [])
    reports = await search(run, queries, None)
    return {
        "queries": [*state["queries"], *queries],
        "next_queries": [],
        "sources": [*state["sources"], *reports],
        "iteration": state["iteration"] + 1,
    }
