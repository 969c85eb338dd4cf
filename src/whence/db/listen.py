"""LISTEN on channels until cancelled, across restarts of the database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import psycopg
from psycopg import sql

from whence.kernel.log import get
from whence.kernel.stopping import stop_if_cancelled

RECONNECT_SECONDS = 0.5
_log = get("db.listen")


async def listen(
    conninfo: str,
    channels: Sequence[str],
    notice: Callable[[psycopg.Notify], None],
    opened: Callable[[], None],
    lost: Callable[[], None] = lambda: None,
) -> None:
    """Call `notice` for each notification, `opened` each time the channels have (again) been
    opened, and `lost` when the connection is lost.
    """
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(
                conninfo, autocommit=True
            ) as connection:
                for channel in channels:
                    await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
                opened()
                async for item in connection.notifies():
                    notice(item)
        except psycopg.Error as error:
            lost()
            _log.warning("listen connection lost, reconnecting", error=str(error))
            stop_if_cancelled()
            await asyncio.sleep(RECONNECT_SECONDS)
