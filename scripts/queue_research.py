"""Queue research of the newest 100 records of a kind, without waiting for it; prints the runs.

python scripts/queue_research.py items
"""

from __future__ import annotations

import asyncio
import sys

from whence.app import build
from whence.kernel.settings import Settings
from whence.records import store


async def queue(kind_name: str) -> list[str]:
    async with build.platform(Settings()) as built:
        kind = built.kind(kind_name)
        async with built.unit(built.owner) as session:
            page = await store.page(session, kind, limit=100)
            asked = [await built.ask(session, built.owner, kind, row.id) for row in page.rows]
    return [str(one.run_id) for one in asked]


print("\n".join(asyncio.run(queue(sys.argv[1]))))
