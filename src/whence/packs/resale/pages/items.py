"""The list of items: their number, research status and total asking price."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.packs.resale.chat.offer import CHAT
from whence.packs.resale.items import ITEMS
from whence.packs.resale.library.tables import ItemRow
from whence.packs.resale.records import LifecycleStatus
from whence.sdk.access import Principal
from whence.sdk.pages import (
    Page,
    PageEntry,
    PageIds,
    PageTopic,
    PageValues,
    PageView,
    current_figures,
    overview,
    overview_entries,
    overview_topics,
    reads_out,
)

from .filters import ListedItem
from .questions import MAX_ITEMS, QUESTION_TOPICS, REFUSED, ListedItems
from .stock import STOCK_TOPIC
from .worth import WORTH_TOPIC

PROMPT = Path(__file__).parent.parent / "prompts" / "page_items.md"
TOOLS = ("search_listings", "lookup_gtin", "net_proceeds", "compare_price")
VALUE, STATES = "value", "states"


class ItemsValues(PageValues):
    """The values of the list's template."""

    items: int
    researched: int
    waiting: int


async def load(session: AsyncSession, who: Principal, ids: PageIds, at: datetime) -> PageView:
    """The list's figures: research status, lifecycle, and the total asking price."""
    standing = await overview(session, ITEMS, CHAT.stale_after, at)
    entries = overview_entries(standing, "item", "items", CHAT.stale_after)
    return PageView(
        [*entries, await _states(session), await _value(session)],
        ItemsValues(
            items=standing.all.total,
            researched=standing.researched.total,
            waiting=standing.waiting.total,
        ),
        data=await _listed(session),
    )


async def _listed(session: AsyncSession) -> ListedItems:
    row = ItemRow
    query = (
        select(
            row.id,
            row.title,
            row.brand,
            row.default_price,
            row.currency,
            row.lifecycle_status,
            row.created_at,
            row.quantity,
        )
        .where(row.deleted_at.is_(None))
        .order_by(row.created_at.desc())
        .limit(MAX_ITEMS + 1)
    )
    targets = await current_figures(session, ITEMS, "price.target.amount", ("price", "currency"))
    rows: list[ListedItem] = []
    for item_id, title, brand, price, currency, status, added, quantity in await session.execute(
        query
    ):
        target = targets.get(item_id)
        worth = (target.value, target.unit) if target else (None, None)
        state = LifecycleStatus(status)
        rows.append(ListedItem(title, brand, price, currency, state, added, *worth, quantity))
    return ListedItems(rows[:MAX_ITEMS], complete=len(rows) <= MAX_ITEMS)


async def _states(session: AsyncSession) -> PageEntry:
    counted = (
        select(ItemRow.lifecycle_status, func.count())
        .where(ItemRow.deleted_at.is_(None))
        .group_by(ItemRow.lifecycle_status)
    )
    rows = await session.execute(counted)
    counts: dict[str, int] = {row[0]: row[1] for row in rows}
    words = [f"{counts[state]} {state.value}" for state in LifecycleStatus if state in counts]
    text = f"By lifecycle status the items are: {', '.join(words)}." if words else "No items."
    return PageEntry(STATES, "Items by lifecycle status", text)


async def _value(session: AsyncSession) -> PageEntry:
    """The total asking price of items not sold or archived, by currency, times quantity."""
    over = (LifecycleStatus.SOLD.value, LifecycleStatus.ARCHIVED.value)
    row = ItemRow
    prices = (
        select(
            row.currency,
            func.count(row.default_price),
            func.count().label("items"),
            func.sum(row.default_price * row.quantity),
        )
        .where(row.deleted_at.is_(None), row.lifecycle_status.not_in(over))
        .group_by(row.currency)
        .order_by(row.currency)
    )
    priced: list[str] = []
    without = 0
    for currency, with_price, items, total in await session.execute(prices):
        without += items - with_price
        if with_price:
            things = "item" if with_price == 1 else "items"
            priced.append(f"{total:,.2f} {currency} for {with_price} {things}")
    text = f"In all is asked: {'; '.join(priced)}" if priced else "No item has an asking price"
    more = f", and {without} more without a price" if priced and without else ""
    note = ", sold and archived ones left out, quantities counted in" if priced else ""
    return PageEntry(VALUE, "Asking prices of the items", f"{text}{more}{note}.")


ITEMS_PAGE = Page(
    name="resale.items",
    title="Items",
    prompt=PROMPT,
    values=ItemsValues,
    load=load,
    tools=TOOLS,
    refused=REFUSED,
    topics=(
        WORTH_TOPIC,
        *QUESTION_TOPICS,
        STOCK_TOPIC,
        PageTopic(
            VALUE,
            "what is asked for them in all",
            (r"\bask(ed|ing)?\b.*\b(price|for|total|all)", r"\btotal\b",
             r"\bin all\b", r"\bprices?\b"),
            reads_out(VALUE),
            "What is the total asking price?",
        ),
        PageTopic(
            STATES,
            "how many items are drafts, listed or sold",
            (r"\bstatus", r"\blisted\b", r"\bsold\b", r"\bdrafts?\b", r"\bready\b",
             r"\barchived\b"),
            reads_out(STATES),
            "What is the status of the items?",
        ),
        *overview_topics("items"),
    ),
)  # fmt: skip
