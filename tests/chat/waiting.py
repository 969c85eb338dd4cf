"""To know that a transaction waits for another one, instead of giving it time to."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg

_WAITING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()
"""


async def until_it_waits(looker: psycopg.Connection[Any], *tasks: asyncio.Future[Any]) -> None:
    """Until as many sessions as tasks wait for a lock of this test's database, or a task ended."""
    async with asyncio.timeout(90):
        while not any(task.done() for task in tasks):
            if (row := looker.execute(_WAITING).fetchone()) and row[0] >= len(tasks):
                return
            await asyncio.sleep(0.01)
