"""Waiting for a server of the operator's own that is not there yet: services start in any order."""

from __future__ import annotations

import asyncio
import time

import psycopg

from whence.db.failures import is_refused_for_good
from whence.db.urls import CONNECT_SECONDS
from whence.kernel.log import get

LOOK_SECONDS = 1.0
SAY_SECONDS = 30.0
"""How often the log says that the database is still waited for."""
_log = get("db")


async def wait_until_ready(admin_url: str) -> None:
    """Return once the server takes connections, or refuses them for a reason that will not pass.

    Without end otherwise; cancel it.  The refusal is left for the first real use to report.
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
