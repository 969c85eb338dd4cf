"""Writing listings: two imports of one organization at once."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest

from chat.waiting import until_it_waits
from whence.packs.resale.library.search import LibrarySearch
from whence.packs.resale.library.write import count_terms, write_listings
from whence.packs.resale.records import Listing

pytestmark = pytest.mark.anyio


def listing(key: str, title: str) -> Listing:
    return Listing(source="library", source_id=key, title=title)


async def test_the_second_waits_and_both_are_counted(
    platform: Any, looker: psycopg.Connection[Any]
) -> None:
    first, second = listing("a", "Corvane lamp"), listing("b", "Corvane lamp")

    async def other() -> tuple[int, int]:
        async with platform.db.unit(platform.owner.org_id) as session:
            # The other way round: without the wait each would hold a row that the other wants.
            written = await write_listings(session, [second, first, listing("c", "Corvane desk")])
            await count_terms(session)
        return written.added, written.unchanged

    async with platform.db.unit(platform.owner.org_id) as session:
        await write_listings(session, [first])
        waiting = asyncio.create_task(other())
        await until_it_waits(looker, waiting)
        assert not waiting.done()
        await write_listings(session, [second])
        await count_terms(session)
    assert await waiting == (1, 2)
    async with platform.db.unit(platform.owner.org_id) as session:
        counts = await LibrarySearch(session).counts(["corvane", "lamp"])
    assert counts == (3, {"corvane": 3, "lamp": 2})
