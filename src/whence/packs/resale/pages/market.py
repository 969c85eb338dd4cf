"""The market search: the imported listings, in figures."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.packs.resale.records import ListingStatus
from whence.sdk.access import Principal
from whence.sdk.pages import (
    Page,
    PageEntry,
    PageIds,
    PageTopic,
    PageValues,
    PageView,
    name_in_sentence,
    reads_out,
)

PROMPT = Path(__file__).parent.parent / "prompts" / "page_market.md"
TOOLS = ("search_listings", "compare_price", "lookup_gtin", "net_proceeds")
COUNTED, SOLD, PLACES = "counted", "sold", "places"
MOST_PLACES = 8
"""Marketplaces to name, those with most listings first."""
_BY_STATUS = text("SELECT status, count(*) FROM resale.listings GROUP BY status")
_SALES = text("""
    SELECT min(left(record->>'sold_at', 10)), max(left(record->>'sold_at', 10)) FROM resale.listings
    WHERE status = 'sold'
""")
_PLACES = text("""
    SELECT coalesce(record->>'marketplace', 'unknown') AS place, count(*) FROM resale.listings
    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT :most
""")


class MarketValues(PageValues):
    """The values of the template of the search."""

    listings: int


async def load(session: AsyncSession, who: Principal, ids: PageIds, at: datetime) -> PageView:
    """The listings available for searching."""
    counts: dict[str, int] = {row[0]: row[1] for row in await session.execute(_BY_STATUS)}
    total = sum(counts.values())
    entries = [_counted(counts, total)]
    if total:
        entries.append(await _sales(session))
        entries.append(await _places(session))
    return PageView(entries, MarketValues(listings=total))


def _counted(counts: dict[str, int], total: int) -> PageEntry:
    title = "Imported listings"
    if not total:
        words = "No listings were imported; `whence import resale.listings` brings some."
        return PageEntry(COUNTED, title, words)
    parts = [f"{counts[state]} {state.value}" for state in ListingStatus if state in counts]
    things = "listing was" if total == 1 else "listings were"
    return PageEntry(COUNTED, title, f"{total} {things} imported: {', '.join(parts)}.")


async def _sales(session: AsyncSession) -> PageEntry:
    first, last = (await session.execute(_SALES)).one()
    words = f"The sales are from {first} to {last}." if first else "No sale among them has a date."
    return PageEntry(SOLD, "When listings sold", words)


async def _places(session: AsyncSession) -> PageEntry:
    rows = await session.execute(_PLACES, {"most": MOST_PLACES})
    named = ", ".join(f"{name_in_sentence(place)} ({count})" for place, count in rows)
    return PageEntry(PLACES, "Marketplaces of the listings", f"The listings are from: {named}.")


MARKET_PAGE = Page(
    name="resale.market",
    title="Market search",
    prompt=PROMPT,
    values=MarketValues,
    load=load,
    tools=TOOLS,
    topics=(
        PageTopic(
            SOLD,
            "from when the sales are",
            (r"\bwhen\b", r"\bdates?\b", r"\bold\b", r"\brecent", r"\bnewest\b", r"\blatest\b",
             r"\bfrom (what|which) (time|period)"),
            reads_out(SOLD),
            "How recent are the sales?",
        ),
        PageTopic(
            PLACES,
            "which marketplaces they come from",
            (r"\bmarketplaces?\b", r"\bwhere\b", r"\bsites?\b", r"\bsources?\b", r"\bplaces?\b"),
            reads_out(PLACES),
            "Which marketplaces are these from?",
        ),
        PageTopic(
            COUNTED,
            "how many listings there are",
            (r"\bhow many\b", r"\bcount\b", r"\bnumber of\b", r"\bsold\b", r"\bactive\b",
             r"\boffers?\b", r"\blistings?\b"),
            reads_out(COUNTED),
            "How many listings can be searched?",
        ),
    ),
)  # fmt: skip
