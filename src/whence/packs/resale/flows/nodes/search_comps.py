"""Search for comparables with the first queries."""

from __future__ import annotations

from whence.packs.resale.flows.searching import search
from whence.packs.resale.flows.state import COMP, ResearchState, Update
from whence.packs.resale.identification.queries import new_queries
from whence.packs.resale.identification.records import ProductIdentification
from whence.packs.resale.settings import ResaleSettings
from whence.sdk.research import RunContext, node

from .load_context import load_item


@node(title="Search for listings")
async def search_comps(state: ResearchState, run: RunContext) -> Update:
    """Adds queries and source reports; the listings themselves become evidence."""
    product = ProductIdentification.model_validate(state["identification"])
    count = run.service(ResaleSettings).queries_per_search
    queries = new_queries(product, await load_item(run), state["queries"], count)
    reports = await search(run, queries, product.gtin)
    found = len(await run.bundle(COMP))
    await run.report(f"{found} listing{'' if found == 1 else 's'} found")
    return {
        "queries": [*state["queries"], *queries],
        "sources": [*state["sources"], *reports],
        "iteration": state["iteration"] + 1,
    }
