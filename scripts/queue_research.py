"""Queue research of the newest 100 records of a kind, without waiting for it; prints the runs.

python scripts/queue_research.py items
"""

from __future__ import annotations

import asyncio
import sys

from whence.app import build
from whence.kernel.settings import Settings
from whence.records import listing


async def queue(kind_name: str) -> list[str]:
    async with build.platform(Settings()) as platform:
        kind, owner = platform.kind(kind_name), platform.owner
        async with platform.unit(owner) as session:
            page = await listing.page(session, kind, listing.list_query(kind)(limit=100))
            runs = [await platform.ask(session, owner, kind, row.id) for row in page.rows]
    return [str(run.id) for run in runs]


if __name__ == "__main__":
    print("\n".join(asyncio.run(queue(sys.argv[1]))))
