"""Searches all sources in parallel; a failing source is recorded and does not affect the others.

A source that does not answer is waited for later (`outages.wait_for_sources`), so that the findings
of the others are saved first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from whence.packs.resale.library.source import Library
from whence.packs.resale.records import Listing
from whence.packs.resale.settings import ResaleSettings
from whence.packs.resale.sources.base import CompQuery, Offer, Source
from whence.sdk.errors import Unavailable, WhenceError
from whence.sdk.evidence import Finding, Judgement
from whence.sdk.research import RunContext
from whence.sdk.sources import SourceRequest

from .sources import available, sources_for
from .state import COMP, SourceReport

NOT_SCORED = "found, not scored yet"


async def search(run: RunContext, queries: Sequence[str], gtin: str | None) -> list[SourceReport]:
    """Search all available sources and store new listings as evidence of this run.

    The GTIN is a separate query: most sources accept a code or words, not both.
    """
    sources = available(sources_for(run))
    wanted = [CompQuery(gtin=gtin)] if gtin else []
    wanted += [CompQuery(text=query) for query in queries]
    asks = [
        (source, offer, query)
        for query in wanted
        for source in sources
        for offer in (Offer.SOLD, Offer.ACTIVE)
        if offer in source.offers
    ]
    answers = await asyncio.gather(*(ask(run, *each) for each in asks))
    await keep_listings(run, [listing for listings, _ in answers for listing in listings])
    reports = [report for _, report in answers]
    await run.count_requests(requests_of(reports))
    return reports


def requests_of(reports: Sequence[SourceReport]) -> list[SourceRequest]:
    """The requests to outside sources, for their counts."""
    return [
        SourceRequest(report["source"], report["error"], report.get("is_away", False))
        for report in reports
        if report["source"] != Library.id
    ]


async def ask(
    run: RunContext, source: Source, offer: Offer, query: CompQuery
) -> tuple[Sequence[Listing], SourceReport]:
    """One query to one source; its error is in the report, except that of our own database."""
    report = SourceReport(
        source=source.id,
        offer=offer,
        query=query.text or f"GTIN {query.gtin}",
        found=0,
        refused=[],
        error=None,
        gtin=None if query.text else query.gtin,
        attempt=run.attempt.number,
    )
    limit = limits_of(run)[offer]
    try:
        result = await source.search(query, offer, limit)
    except WhenceError as error:
        if source.id == Library.id:
            raise  # our own database: the run waits for it
        return (), failed(report, error)
    refused = [f"{row.raw_id}: {row.reason}" for row in result.refused]
    return result.listings, {
        **report,
        "found": len(result.listings),
        "refused": refused,
        "total": result.total,
        "limit": limit,
    }


def limits_of(run: RunContext) -> Mapping[Offer, int]:
    """Listings requested from each source for each query."""
    settings = run.service(ResaleSettings)
    return {Offer.SOLD: settings.sold_listings, Offer.ACTIVE: settings.active_listings}


def failed(report: SourceReport, error: WhenceError) -> SourceReport:
    """The report of a source that gave an error instead of an answer."""
    if isinstance(error, Unavailable):
        report = {**report, "is_away": True, "retry_after": error.retry_after}
    return {**report, "error": error.message}


async def keep_listings(run: RunContext, listings: Sequence[Listing]) -> None:
    """Store new listings, without duplicates by source and id of this and earlier searches."""
    stored = {(c.evidence.source, c.evidence.source_id) for c in await run.bundle(COMP)}
    fresh: dict[tuple[str, str], Listing] = {}
    for listing in listings:
        key = (listing.source, listing.source_id)
        if key not in stored:
            fresh.setdefault(key, listing)
    ids = await run.keep([listing_finding(listing) for listing in fresh.values()])
    await run.judge([Judgement(key, COMP, included=False, reason=NOT_SCORED) for key in ids])


def listing_finding(listing: Listing) -> Finding:
    """A listing as evidence."""
    return Finding(
        source=listing.source,
        source_id=listing.source_id,
        title=listing.title,
        content=f"{listing.title}\n{listing.description}".strip(),
        data=listing.model_dump(mode="json"),
        url=listing.url,
        observed_at=listing.sold_at or listing.listed_at,
    )
