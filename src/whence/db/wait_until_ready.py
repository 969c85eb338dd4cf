"""Wait for an external database server that is not up yet: services start in any order."""

from __future__ import annotations

import asyncio
import time

import psycopg

from whence.db.failures import is_refused_for_good
from whence.db.urls import CONNECT_SECONDS
from whence.kernel.log import get

LOOK_SECONDS = 1.0
SAY_SECONDS = 30.0
"""Time between two log lines while waiting for the database."""
_log = get("db")


async def wait_until_ready(admin_url: str) -> None:
    """Return once the server accepts connections, or refuses them for a permanent reason.

    Waits without a limit; cancel it to stop.  The first real use reports a refusal.
    """
    reported_at = float("-inf")
    while True:
        try:
            connection = await psycopg.AsyncConnection.connect(
                admin_url, connect_timeout=CONNECT_SECONDS
            )
        except psycopg.OperationalError as error:
            if is_refused_for_good(error):
                return
            if time.monotonic() - reported_at >= SAY_SECONDS:
                reported_at = time.monotonic()
                words = str(error).strip().splitlines()[0]
                _log.warning("waiting for the database in WHENCE_DATABASE_URL", error=words)
            await asyncio.sleep(LOOK_SECONDS)
        else:
            await connection.close()
            return
