"""Delete imported listings with their place in the search index, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.sdk.search import index

from .search import LISTINGS

_DELETE = text("DELETE FROM resale.listings WHERE id = ANY(:ids) RETURNING id")


async def delete_listings(session: AsyncSession, ids: Sequence[UUID]) -> list[UUID]:
    """Delete listings by whence's id; returns those that were there.

    Evidence of earlier research keeps what it has seen. Call `count_terms` after the last one.
    """
    if not ids:
        return []
    gone = list(await session.scalars(_DELETE, {"ids": list(ids)}))
    await index.remove(session, LISTINGS, gone)
    return gone
