"""Waiting for sources that do not answer: the run pauses for them, and asks only them again."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from whence.packs.resale.records import Listing
from whence.packs.resale.sources.base import CompQuery, Offer, Source
from whence.sdk.errors import Unavailable
from whence.sdk.research import RunContext

from .searching import ask, keep_listings, requests_of
from .sources import available, sources_for
from .state import SourceReport


async def wait_for_sources(run: RunContext, reports: Sequence[SourceReport]) -> list[SourceReport]:
    """The reports, with those of sources that answer by now in place of their outages.

    Pauses the run while a source is away. Once the run may not pause any more, the source is given
    up: its reports stay, and the dossier names it.
    """
    given_up = {report["source"] for report in reports if report.get("is_given_up")}
    sources = {source.id: source for source in available(sources_for(run))}
    result = list(reports)
    waiting = [
        at
        for at, report in enumerate(reports)
        if is_away(report)
        and report["offer"] != Offer.LOOKUP
        and report["source"] in sources.keys() - given_up
    ]
    again = [at for at in waiting if reports[at].get("attempt") != run.attempt.number]
    answers = await asyncio.gather(*(_ask_again(run, sources, reports[at]) for at in again))
    for at, (_, report) in zip(again, answers, strict=True):
        result[at] = report
    await keep_listings(run, [listing for listings, _ in answers for listing in listings])
    await run.count_requests(requests_of([report for _, report in answers]))
    away = [at for at in waiting if is_away(result[at])]
    if away:
        await run.pause_for(outage([result[at] for at in away], list(sources.values())))
    for at in away:
        result[at] = {**result[at], "is_given_up": True}
    return result


def is_away(report: SourceReport) -> bool:
    """Whether the source did not answer this query."""
    return report.get("is_away", False)


def unanswered(reports: Sequence[SourceReport], sources: Sequence[Source]) -> list[str]:
    """The titles of sources whose answers a price lacks because they were away."""
    lacking = [
        report["source"]
        for report in reports
        if is_away(report) and (report["offer"] != Offer.LOOKUP or report.get("is_given_up"))
    ]
    return titles(lacking, sources)


def refusing(reports: Sequence[SourceReport], sources: Sequence[Source]) -> list[str]:
    """The titles of sources that refused every search, such as for a key that is not valid."""
    searches = [report for report in reports if report["offer"] != Offer.LOOKUP]
    answering = {report["source"] for report in searches if report["error"] is None}
    away = {report["source"] for report in searches if is_away(report)}
    searched = {report["source"] for report in searches}
    return titles(list(searched - answering - away), sources)


def outage(reports: Sequence[SourceReport], sources: Sequence[Source]) -> Unavailable:
    """The error that pauses the run for the sources of these reports."""
    pauses = [report.get("retry_after") or 0.0 for report in reports]
    names = titles([report["source"] for report in reports], sources)
    return Unavailable(
        f"No answer from {', '.join(names)}; the search continues once it is back.",
        retry_after=max(pauses) or None,
    )


def titles(ids: Sequence[str], sources: Sequence[Source]) -> list[str]:
    """The sources' names for people, each once, in listing order."""
    return [source.title for source in sources if source.id in ids]


async def _ask_again(
    run: RunContext, sources: Mapping[str, Source], report: SourceReport
) -> tuple[Sequence[Listing], SourceReport]:
    gtin = report.get("gtin")
    query = CompQuery(gtin=gtin) if gtin else CompQuery(text=report["query"])
    return await ask(run, sources[report["source"]], Offer(report["offer"]), query)
