"""Research of an item: what it is, what others pay for it, what is missing."""

from __future__ import annotations

from whence.packs.resale.items import INTAKE, REPRICE
from whence.sdk.research import Branch, Flow, RunType

from .dossier import RECOMPUTATIONS
from .dossier_schema import ItemDossier
from .nodes.analyze_comps import analyze_comps
from .nodes.analyze_media import analyze_media
from .nodes.assess_missing import assess_missing, next_step
from .nodes.calculate_price import calculate_price
from .nodes.identify_product import identify_product
from .nodes.load_context import load_context
from .nodes.persist_results import persist_partial, persist_results
from .nodes.refine_search import refine_search
from .nodes.search_comps import search_comps
from .refreshing import SEARCH
from .state import ResearchState

RESEARCH = Flow(
    id="research",
    version="1",
    kind="items",
    state=ResearchState,
    nodes=(
        load_context,
        analyze_media,
        identify_product,
        search_comps,
        analyze_comps,
        calculate_price,
        assess_missing,
        refine_search,
        persist_results,
    ),
    edges=(
        ("load_context", "analyze_media"),
        ("analyze_media", "identify_product"),
        ("identify_product", "search_comps"),
        ("search_comps", "analyze_comps"),
        ("analyze_comps", "calculate_price"),
        ("calculate_price", "assess_missing"),
        ("refine_search", "analyze_comps"),
    ),
    branches=(Branch("assess_missing", next_step, ("refine_search", "persist_results")),),
    recomputations=RECOMPUTATIONS,
    partial=persist_partial,
    dossier=ItemDossier,
    types=(
        RunType("manual_request", "Somebody asked for it"),
        RunType(INTAKE, "The item is new"),
        RunType(
            "pricing_refresh",
            "New comparables and prices; what the item is stays as it was identified",
            skips=("analyze_media", "identify_product"),
            builds_on_earlier=True,
        ),
        RunType(
            REPRICE,
            "The price again from the listings of the last research, without a new search",
            skips=("analyze_media", "identify_product", SEARCH),
            builds_on_earlier=True,
        ),
    ),
)
