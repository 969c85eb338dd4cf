"""To know that a transaction waits for another one, instead of giving it time to."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg

_WAITING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()
"""


async def until_it_waits(looker: psycopg.Connection[Any], task: asyncio.Task[Any]) -> None:
    """Until somebody waits for a lock of this test's database, or the task is over."""
    async with asyncio.timeout(90):
        while not task.done() and looker.execute(_WAITING).fetchone() == (0,):
            await asyncio.sleep(0.01)
