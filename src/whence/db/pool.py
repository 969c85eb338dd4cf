"""Connection pools: waiting can be cancelled at any time, and idle connections are checked.

An idle connection is pinged before it is used again.  To save round trips, it is trusted without a
ping if it answered within the last second and has received nothing since: a server that stops sends
a message or closes the connection.
"""

from __future__ import annotations

import asyncio
import select
import time
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import psycopg
from psycopg_pool import AsyncConnectionPool
from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from whence.kernel.stopping import lost_cancellation

C = TypeVar("C", bound=psycopg.AsyncConnection[Any])


class Pool(AsyncConnectionPool[C]):
    """psycopg's pool waits with `asyncio.wait_for`, which in Python 3.11 loses a cancellation that
    arrives together with the connection: a cancelled task would go on.
    """

    async def getconn(self, timeout: float | None = None) -> C:
        """A connection; raises a cancellation that arrived during the wait."""
        check = lost_cancellation()
        connection = await super().getconn(timeout)
        try:
            check()
        except asyncio.CancelledError:
            await self.putconn(connection)
            raise
        return connection


TRUSTED_SECONDS = 1.0
_used: WeakKeyDictionary[object, float] = WeakKeyDictionary()


def keep_alive(engine: Engine) -> None:
    """Let an SQLAlchemy engine's pool replace connections that died while idle, and those whose
    server has become read-only."""

    def returned(_: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
        entry.info["used"] = time.monotonic()

    def taken(
        connection: DBAPIConnection, entry: ConnectionPoolEntry, _: PoolProxiedConnection
    ) -> None:
        used: float | None = entry.info.get("used")
        driver = entry.driver_connection
        assert isinstance(driver, psycopg.AsyncConnection | psycopg.Connection)
        if used is None:
            return
        try:
            if time.monotonic() - used < TRUSTED_SECONDS and _is_quiet(driver):
                return
            engine.dialect.do_ping(connection)
        except psycopg.Error as error:
            raise DisconnectionError from error

    def failed(context: ExceptionContext) -> None:
        # This connection stays with the standby; a new one may reach the new primary.
        if isinstance(context.original_exception, psycopg.errors.ReadOnlySqlTransaction):
            context.is_disconnect = True

    event.listen(engine, "handle_error", failed)
    event.listen(engine, "checkin", returned)
    event.listen(engine, "checkout", taken)


def _is_due(connection: psycopg.AsyncConnection[Any]) -> bool:
    """Whether a pool must ping this connection before handing it out; marks it as used now."""
    before, _used[connection] = _used.get(connection, float("-inf")), time.monotonic()
    return _used[connection] - before >= TRUSTED_SECONDS or not _is_quiet(connection)


def _is_quiet(connection: psycopg.AsyncConnection[Any] | psycopg.Connection[Any]) -> bool:
    """Whether an idle connection has received nothing; raises if it is closed."""
    looking = select.poll()
    looking.register(connection.fileno(), select.POLLIN)
    return not looking.poll(0)


async def check_idle(connection: psycopg.AsyncConnection[Any]) -> None:
    """The `check` of a psycopg pool, with the rules of `keep_alive`; raises if the connection is
    dead."""
    if _is_due(connection):
        await connection.execute("")
