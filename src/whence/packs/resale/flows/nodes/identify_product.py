"""Identifies the product: by its GTINs in catalogues first, then by its texts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from uuid import UUID

from whence.packs.resale.flows.outages import is_away, outage
from whence.packs.resale.flows.searching import failed, requests_of
from whence.packs.resale.flows.sources import available, sources_for
from whence.packs.resale.flows.state import (
    CATALOGUE,
    RECORD,
    ResearchState,
    SourceReport,
    Update,
)
from whence.packs.resale.identification.answers import Stated, stated
from whence.packs.resale.identification.codes_on_photographs import is_of_another
from whence.packs.resale.identification.grounding import ground
from whence.packs.resale.identification.records import (
    DESCRIPTION_SHOWN,
    ProductIdentification,
    ProductLook,
)
from whence.packs.resale.library.source import Library
from whence.packs.resale.records import Item
from whence.packs.resale.skills.identify_product import identify_product as skill
from whence.packs.resale.sources.base import CatalogueEntry, Offer, Source
from whence.packs.resale.thresholds import WEAK_IDENTITY
from whence.sdk.errors import WhenceError
from whence.sdk.evidence import Finding, Judgement
from whence.sdk.research import Question, RunContext, node

from .load_context import load_item

IDENTITY = "identity"
"""The key of the question to the owner about the product."""
SHOWN_REASON = 500
"""Characters of the reason shown to the owner; a model's reason may be longer."""
SHOWN_TITLE = 120
"""Characters of the product's title shown while the research goes on."""
MAX_PRINTED_LINES = 40
"""Lines of OCR text that identification reads."""
MAX_GTINS = 6
"""Most codes to look up in catalogues: one for the product and a few for its parts and box. The
codes of a whole shelf would use up a source's daily allowance."""


@node(title="Identify the product")
async def identify_product(state: ResearchState, run: RunContext) -> Update:
    """Adds the identification and the catalogues' entries.

    If the product is still unknown, an interactive run asks the owner and identifies the item again
    with the answer.
    """
    item = await load_item(run)
    identity = await _ask_owner(run, item)
    named, update = await _named(state, run, item, identity)
    if run.is_interactive and named.confidence <= WEAK_IDENTITY:
        await run.ask(_question(item, named))
    await run.report(f"Identified as {named.title[:SHOWN_TITLE]}")
    return update


def _question(item: Item, named: ProductIdentification) -> Question:
    unknown = "exact model" if item.brand else "brand and exact model"
    return Question(
        key=IDENTITY,
        text=f"What {unknown} is it, or what number is printed under its barcode?",
        why=f"It is not known which product this is ({named.reason[:SHOWN_REASON]}); listings "
        "of other products would set its price.",
        required=False,
    )


async def _ask_owner(run: RunContext, item: Item) -> Stated:
    """The owner's answer, as stored evidence."""
    if not run.has_answer(IDENTITY):
        return Stated()
    unsaid = ProductIdentification(title=item.title, confidence=0.0, reason="")
    answer = await run.ask(_question(item, unsaid))
    if not isinstance(answer, str):
        return Stated()
    identity = stated(answer, item.brand)
    finding = Finding(
        source="answer",
        source_id=f"{run.attempt.subject_id}:{IDENTITY}",
        title="The owner's answer",
        content="\n".join(identity.lines),
        data={
            "answer": answer,
            "gtin": identity.gtin,
            "brand": identity.brand,
            "model": identity.model,
        },
    )
    [key] = await run.keep([finding])
    await run.judge([Judgement(key, RECORD, included=True, reason="the owner's answer")])
    return identity


async def _named(
    state: ResearchState, run: RunContext, item: Item, identity: Stated
) -> tuple[ProductIdentification, Update]:
    gtins = _gtins(item, identity, state)
    sources = [s for s in available(sources_for(run)) if Offer.LOOKUP in s.offers]
    answers = await asyncio.gather(*(_ask(source, gtin) for gtin in gtins for source in sources))
    entries = [entry for entries_of_source, _ in answers for entry in entries_of_source]
    await _keep(run, entries)
    reports = [report for _, report in answers]
    await run.count_requests(requests_of(reports))
    if not entries and not (item.brand and item.model):
        reports = await _wait_for_catalogues(run, reports, sources)
    seen = state["seen"]
    look = ProductLook(
        title=item.title,
        description=item.description[:DESCRIPTION_SHOWN],
        brand=item.brand or identity.brand or _text(seen.get("brand")),
        model=item.model or identity.model or _text(seen.get("model")),
        mpn=item.mpn,
        category=item.category or _text(seen.get("category")),
        attributes=item.attributes,
        gtins=gtins,
        own_gtin=item.gtin or identity.gtin,
        doubtful_gtins=_doubtful(item, identity, state, gtins),
        printed=[line for photo in state["photos"] for line in photo["text"]][:MAX_PRINTED_LINES],
        catalogue=entries,
    )
    outcome = await skill.run(look)
    by_model = outcome.method.startswith("model:")
    named = ground(outcome.value, look) if by_model else outcome.value
    fallbacks = list(state["fallbacks"])
    if outcome.outcome == "fallback":
        fallbacks.append(f"identification used rules: the model failed ({outcome.reason})")
    return named, {
        "identification": named.model_dump(mode="json"),
        "identification_method": outcome.method,
        "sources": [*state["sources"], *reports],
        "fallbacks": fallbacks,
    }


async def _wait_for_catalogues(
    run: RunContext, reports: Sequence[SourceReport], sources: Sequence[Source]
) -> list[SourceReport]:
    """Pause the run for catalogues that are away, as nothing else identifies the product."""
    if away := [report for report in reports if is_away(report)]:
        await run.pause_for(outage(away, sources))
    return [{**each, "is_given_up": True} if is_away(each) else each for each in reports]


async def _ask(source: Source, gtin: str) -> tuple[Sequence[CatalogueEntry], SourceReport]:
    report = SourceReport(
        source=source.id, offer=Offer.LOOKUP, query=gtin, found=0, refused=[], error=None
    )
    try:
        entries = await source.lookup(gtin)
    except WhenceError as error:
        if source.id == Library.id:
            raise  # our own database: the run waits for it
        return (), failed(report, error)
    # An entry without a code still counts for the requested one.
    entries = [entry.model_copy(update={"gtin": entry.gtin or gtin}) for entry in entries]
    return entries, {**report, "found": len(entries)}


async def _keep(run: RunContext, entries: Sequence[CatalogueEntry]) -> None:
    ids = await run.keep([entry_finding(entry) for entry in entries])
    await run.judge([entry_judgement(*pair) for pair in zip(ids, entries, strict=True)])


def entry_finding(entry: CatalogueEntry) -> Finding:
    """A catalogue's entry, as evidence."""
    parts = (entry.title, entry.brand, entry.model, entry.gtin)
    return Finding(
        source=entry.source,
        source_id=f"catalogue:{entry.source_id}",
        title=entry.title,
        content="\n".join(part for part in parts if part),
        data=entry.model_dump(mode="json"),
        url=entry.url,
    )


def entry_judgement(key: UUID, entry: CatalogueEntry) -> Judgement:
    """An entry is included if it is for the requested code."""
    reason = f"{entry.source} lists this product for GTIN {entry.gtin}"
    return Judgement(key, CATALOGUE, included=True, reason=reason)


def _gtins(item: Item, identity: Stated, state: ResearchState) -> list[str]:
    read = [gtin for photo in state["photos"] for gtin in photo["barcodes"]]
    gtins = [gtin for gtin in (item.gtin, identity.gtin) if gtin]
    codes: dict[str, None] = dict.fromkeys([*gtins, *read])
    return list(codes)[:MAX_GTINS]


def _doubtful(
    item: Item, identity: Stated, state: ResearchState, gtins: Sequence[str]
) -> list[str]:
    """Codes that were read only on photographs whose text names nothing of the item."""
    named = [item.title, item.brand, item.model, item.mpn, item.category, identity.words]
    text = " ".join([*filter(None, named), *item.attributes.values(), item.description])
    sure = {
        gtin
        for photo in state["photos"]
        if not is_of_another(text, photo["text"])
        for gtin in photo["barcodes"]
    }
    own = item.gtin or identity.gtin
    return [gtin for gtin in gtins if gtin not in sure and gtin != own]


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
