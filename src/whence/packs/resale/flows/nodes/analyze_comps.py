"""Judges how relevant each comparable is, and why; other products stay visible, excluded.

First the run waits for sources that did not answer: what the others had is saved by then.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from whence.packs.resale.flows.outages import wait_for_sources
from whence.packs.resale.flows.sources import library_of
from whence.packs.resale.flows.state import COMP, ResearchState, Update
from whence.packs.resale.identification.records import ProductIdentification
from whence.packs.resale.library import background
from whence.packs.resale.library.source import Library
from whence.packs.resale.matching.catalogue import Catalogue
from whence.packs.resale.matching.profile import counted_words
from whence.packs.resale.matching.scorer import Product, Relevance, score_all, text_of
from whence.packs.resale.matching.tokens import terms
from whence.packs.resale.records import Item, Listing, ListingChoice, listing_key
from whence.packs.resale.settings import ResaleSettings
from whence.sdk.evidence import BundledEvidence, Judgement
from whence.sdk.research import RunContext, node

from .load_context import load_item

CHOSEN_RELEVANCE = 1.0
"""Of a listing that the owner includes: it counts like a sure match."""


@node(title="Compare the listings")
async def analyze_comps(state: ResearchState, run: RunContext) -> Update:
    """Judges every comparable of the run again: a new judgement replaces the previous one.

    Pauses the run while a source is away; its late answer replaces the report of its outage.
    """
    reports = await wait_for_sources(run, state["sources"])
    item = await load_item(run)
    product = product_of(item, ProductIdentification.model_validate(state["identification"]))
    bundle = await run.bundle(COMP)
    listings = [Listing.model_validate(item.evidence.data) for item in bundle]
    catalogue = await catalogue_for(run, product, listings)
    scored = await asyncio.to_thread(score_all, product, listings, catalogue)
    kept = run.service(ResaleSettings).kept_relevance
    judgements = [
        chosen(judged(comp, relevance, kept), comp, item)
        for comp, relevance in zip(bundle, scored, strict=True)
    ]
    await run.judge(judgements)
    counted = sum(each.included for each in judgements)
    await run.report(f"{counted} of {len(judgements)} listings are comparable")
    return {"sources": reports}


def product_of(item: Item, named: ProductIdentification) -> Product:
    """The product to compare with: the owner's words, completed by the identification.

    The owner's price is left out: it must not select its own evidence.
    """
    return Product(
        title=item.title,
        brand=named.brand or item.brand,
        model=named.model or item.model,
        mpn=named.mpn or item.mpn,
        gtin=named.gtin or item.gtin,
        category=named.category or item.category,
        description=item.description,
        currency=item.currency,
        condition=item.condition,
    )


async def catalogue_for(
    run: RunContext, product: Product, listings: Sequence[Listing]
) -> Catalogue:
    """The rarity of words among the imported listings and those found elsewhere."""
    elsewhere: Counter[str] = Counter()
    words = dict.fromkeys(counted_words(text_of(product)))
    outside = 0
    for listing in listings:
        words |= dict.fromkeys(counted_words(text_of(listing)))
        if listing.source != Library.id:
            outside += 1
            elsewhere.update(terms(text_of(listing)))
    imported, counts = await library_of(run).counts(list(words))
    return background.catalogue(imported + outside, elsewhere + Counter(counts), words)


def judged(item: BundledEvidence, relevance: Relevance, kept: float) -> Judgement:
    """The judgement that follows from a score; from `kept` on, a listing is a comparable."""
    included = relevance.exclusion is None and relevance.score >= kept
    reason = relevance.exclusion.reason if relevance.exclusion else relevance.reason
    return Judgement(
        item.evidence.id, COMP, included=included, reason=reason, relevance=relevance.score
    )


def chosen(judgement: Judgement, comp: BundledEvidence, item: Item) -> Judgement:
    """The judgement, or the owner's own choice instead of it."""
    key = listing_key(comp.evidence.source, comp.evidence.source_id)
    match item.listing_choices.get(key):
        case ListingChoice.EXCLUDE:
            return replace(judgement, included=False, reason="the owner excluded it")
        case ListingChoice.INCLUDE:
            sure = max(judgement.relevance or 0.0, CHOSEN_RELEVANCE)
            reason = "the owner counts it as a comparable"
            return replace(judgement, included=True, reason=reason, relevance=sure)
        case _:
            return judgement
