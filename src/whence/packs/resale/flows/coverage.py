"""What the searches of a run covered of each source, for demand."""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.resale.library.source import Library
from whence.packs.resale.pricing.market import OFFERED, Coverage
from whence.packs.resale.records import Listing
from whence.packs.resale.sources.base import Offer
from whence.sdk.evidence import BundledEvidence

from .state import ResearchState, SourceReport


def coverage_of(
    reports: Sequence[SourceReport], comps: Sequence[BundledEvidence]
) -> list[Coverage]:
    """One entry for each source and kind of offer that was searched."""
    searches: dict[tuple[str, str], list[SourceReport]] = {}
    for report in reports:
        if report["error"] is None and report["offer"] != Offer.LOOKUP:
            searches.setdefault((report["source"], report["offer"]), []).append(report)
    listings = [Listing.model_validate(item.evidence.data) for item in comps]
    fetched = [(listing.source, OFFERED[listing.status]) for listing in listings]
    return [
        _coverage(source, offer, fetched.count((source, offer)), pages)
        for (source, offer), pages in sorted(searches.items())
    ]


def _coverage(source: str, offer: str, found: int, pages: Sequence[SourceReport]) -> Coverage:
    """A total counts only if every full page states one; the most specific query decides."""
    full = [page for page in pages if _is_full(page)]
    totals = [total for page in full if (total := page.get("total")) is not None]
    is_counted = bool(totals) and len(totals) == len(full)
    return Coverage(source, offer, found, bool(full), min(totals) if is_counted else None)


def _is_full(page: SourceReport) -> bool:
    rows = page["found"] + len(page["refused"])
    total, limit = page.get("total"), page.get("limit")
    if total is not None:
        return total > rows
    return limit is not None and rows >= limit


def active_searched(state: ResearchState) -> bool:
    """Whether a live source was asked for active listings and returned any, at any time.

    Imported listings alone do not tell that nobody else offers the product.
    """
    return any(
        report["offer"] == Offer.ACTIVE
        and report["source"] != Library.id
        and report["error"] is None
        and report["found"]
        for report in state["sources"]
    )
