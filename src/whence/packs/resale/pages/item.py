"""The page of one item, with the chat about that item."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.packs.resale.chat.offer import CHAT
from whence.packs.resale.library.tables import ItemRow
from whence.packs.resale.records import AiReviewState, LifecycleStatus
from whence.sdk.access import Principal
from whence.sdk.pages import Page, PageIds, PageValues, PageView

PROMPT = Path(__file__).parent.parent / "prompts" / "page_item.md"


class ItemIds(PageIds):
    """The ids of the page: its item."""

    item_id: UUID


class ItemValues(PageValues):
    """The values of the page's template."""

    status: LifecycleStatus
    review: AiReviewState
    photographs: int


async def load(session: AsyncSession, who: Principal, ids: ItemIds, at: datetime) -> PageView:
    """The header of the page; the item itself is loaded with its research."""
    query = select(ItemRow).where(ItemRow.id == ids.item_id, ItemRow.deleted_at.is_(None))
    row = (await session.scalars(query)).one()
    photographs = len(row.media) + len(row.attached)
    values = ItemValues.model_validate(
        {
            "status": row.lifecycle_status,
            "review": row.ai_review_state,
            "photographs": photographs,
        }
    )
    return PageView(values=values)


ITEM_PAGE = Page(
    name="resale.item",
    title="Item",
    prompt=PROMPT,
    ids=ItemIds,
    values=ItemValues,
    load=load,
    kind="items",
    record="item_id",
    tools=CHAT.tools,
)
