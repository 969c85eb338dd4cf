"""Queue research of every record of a kind, without waiting for it: `queue_research.py items`."""

from __future__ import annotations

import asyncio
import sys

from whence import main
from whence.kernel.settings import Settings
from whence.subjects import store


async def queue(kind_name: str) -> int:
    async with main.platform(Settings()) as built:
        kind = built.kind(kind_name)
        async with built.unit(built.owner) as session:
            page = await store.page(session, kind, limit=100)
            for row in page.rows:
                await built.ask(session, built.owner, kind, row.id)
    return len(page.rows)


print(f"{asyncio.run(queue(sys.argv[1]))} queued")
