"""Pools of connections: their waiters can be cancelled at any moment, and the idle are checked.

An idle connection is asked whether it lives before it is used again.  Asking at every use would
cost a round trip each; a connection that answered within the last second and on which nothing came
in since is trusted: a server that stops says so, or hangs up.
"""

from __future__ import annotations

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
    """psycopg's own waits by `asyncio.wait_for`, which in Python 3.11 loses a cancellation that
    meets the connection: whoever was told to stop would continue, and not be told again.
    """

    async def getconn(self, timeout: float | None = None) -> C:
        """A connection; raises the cancellation that came meanwhile."""
        check = lost_cancellation()
        connection = await super().getconn(timeout)
        try:
            check()
        except BaseException:
            await self.putconn(connection)
            raise
        return connection


TRUSTED_SECONDS = 1.0
_used: WeakKeyDictionary[object, float] = WeakKeyDictionary()


def keep_alive(engine: Engine) -> None:
    """Let an SQLAlchemy engine's pool replace connections that died while they were idle, and
    those whose server takes no changes any more."""

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
        # A connection that leads to a standby stays there: a new one may find the new primary.
        if isinstance(context.original_exception, psycopg.errors.ReadOnlySqlTransaction):
            context.is_disconnect = True

    event.listen(engine, "handle_error", failed)
    event.listen(engine, "checkin", returned)
    event.listen(engine, "checkout", taken)


def _is_due(connection: psycopg.AsyncConnection[Any]) -> bool:
    """Whether a pool must ask this connection before handing it out; it is used from now on."""
    before, _used[connection] = _used.get(connection, float("-inf")), time.monotonic()
    return _used[connection] - before >= TRUSTED_SECONDS or not _is_quiet(connection)


def _is_quiet(connection: psycopg.AsyncConnection[Any] | psycopg.Connection[Any]) -> bool:
    """Whether nothing came in on an idle connection; raises what a closed one raises."""
    looking = select.poll()
    looking.register(connection.fileno(), select.POLLIN)
    return not looking.poll(0)


async def check_idle(connection: psycopg.AsyncConnection[Any]) -> None:
    """The same as `keep_alive`, as the `check` of a psycopg pool; raises what a dead one raises."""
    if _is_due(connection):
        await connection.execute("")
