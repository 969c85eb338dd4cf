"""The application's connections, always as the role that row-level security binds.

A unit of work belongs to one organization, set with SET LOCAL semantics for its transaction:
whatever a query forgets, the database does not show another organization's rows.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Any, LiteralString, TypeAlias
from uuid import UUID

import psycopg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.pool import QueuePool

from whence.db.failures import Contended, DatabaseBusy, outage
from whence.db.held import held_session, holding
from whence.db.pool import Pool, check_idle, keep_alive
from whence.db.statements import driver_connection, given, leave_connection
from whence.db.urls import sqlalchemy_url
from whence.kernel.errors import Conflict, Invalid, StaleAttempt, WhenceError
from whence.kernel.stopping import lost_cancellation

POOL_SIZE = 20
POOL_OVERFLOW = 0
"""A connection is a process of the server, which takes milliseconds to begin: those of a burst are
kept for the next one."""
STATEMENTS_POOL_SIZE = 10
"""For single statements that are transactions of their own."""
POOL_WAIT_SECONDS = 10
RECONNECT_SECONDS = 3.0
"""Longest that a pool tries to connect by itself: it waits twice as long after each failure, and
whoever needs a connection when the server is back must not sit out the last of those waits."""
Statement: TypeAlias = tuple[LiteralString, Mapping[str, object]]
"""With holes as `%(name)s`, and what goes into them; mappings go as JSON."""
CONTENDED_TRIES = 3
"""Tries of a statement that lost against another one, before its caller is told."""
STALE_ATTEMPT = "WH001"
"""SQLSTATE raised by `whence.fence`."""
SHADOW_WRITE = "WH002"
"""SQLSTATE raised by `whence.refuse_shadow`."""
_TENANT = (
    "SELECT set_config('whence.org_id', %(org)s, true),"
    " set_config('whence.shadow', %(shadow)s, true)"
)
_FENCE = (
    "SELECT whence.fence(%(org)s::uuid, %(run)s, %(attempt)s),"
    " set_config('synchronous_commit', %(sync)s, true),"
    " set_config('whence.shadow', %(shadow)s, true)"
)


class Unstorable(Invalid):
    """A value does not fit where it is kept: too large a number, or a character such as NUL."""


class ShadowWrite(WhenceError):
    """A shadow run may not change what a pack keeps; change the record with `run.change`, which a
    shadow run leaves out.
    """


_shadow: ContextVar[bool] = ContextVar("shadow", default=False)


@contextmanager
def shadowed(is_shadow: bool) -> Generator[None]:
    """What is done inside belongs to a shadow run: writes to packs' tables raise ShadowWrite."""
    outer = _shadow.set(is_shadow)
    try:
        yield
    finally:
        _shadow.reset(outer)


class Database:
    """A pool of connections for one process; `unit` opens a tenant's transaction."""

    def __init__(self, conninfo: str, size: int | None = None) -> None:
        """At most `size` connections for transactions, and some for single statements."""
        size = POOL_SIZE if size is None else size
        self.conninfo = conninfo
        self._engine = create_async_engine(
            sqlalchemy_url(conninfo),
            pool_size=size,
            max_overflow=POOL_OVERFLOW,
            pool_timeout=POOL_WAIT_SECONDS,
            hide_parameters=True,  # a failed statement is logged; its values are people's records
        )
        keep_alive(self._engine.sync_engine)
        self._most = size + POOL_OVERFLOW + STATEMENTS_POOL_SIZE
        self._sessions = async_sessionmaker(self._engine, expire_on_commit=False)
        self._statements = Pool[psycopg.AsyncConnection[tuple[Any, ...]]](
            conninfo,
            min_size=0,
            max_size=STATEMENTS_POOL_SIZE,
            open=False,
            timeout=POOL_WAIT_SECONDS,
            reconnect_timeout=RECONNECT_SECONDS,
            kwargs={"autocommit": True},
            check=check_idle,
        )

    @asynccontextmanager
    async def unit(self, org_id: UUID | None) -> AsyncGenerator[AsyncSession]:
        """A transaction for one organization (None: none, so no tenant row is visible).

        Commits at the end, rolls back on any error.  Raises DatabaseBusy when the server is away
        or the pool is exhausted, StaleAttempt when a fence inside refuses the write.
        """
        check = lost_cancellation()
        try:
            async with self._opened(_TENANT, _tenant(org_id)) as session:
                yield session
        except (DBAPIError, PoolTimeout, psycopg.Error) as error:
            check()
            raise translated(error) from error

    @asynccontextmanager
    async def fenced(
        self, org_id: UUID, run_id: UUID, attempt: int, *, flushed: bool = True
    ) -> AsyncGenerator[AsyncSession]:
        """A run's transaction: refused with StaleAttempt once another attempt owns the run.

        It holds the run's row, so another one of the same run inside it would wait for itself:
        that raises NestedFence.  `flushed=False` is for progress: its commit does not wait for the
        disk, the next flushed commit carries it along.
        """
        check = lost_cancellation()
        try:
            values = _tenant(org_id) | {"run": run_id, "attempt": attempt}
            sync = {"sync": "on" if flushed else "off"}
            with holding(run_id) as held:
                async with self._opened(_FENCE, values | sync) as session:
                    held.session = session
                    yield session
        except (DBAPIError, PoolTimeout, psycopg.Error) as error:
            check()
            raise translated(error) from error

    @asynccontextmanager
    async def joined_unit(self, org_id: UUID, run_id: UUID) -> AsyncGenerator[AsyncSession]:
        """As `unit`; inside the open transaction of this run that this task began, that one.

        A second connection for each of many nodes that hold one would exhaust the pool.
        """
        if own := held_session(run_id):
            yield own
            return
        async with self.unit(org_id) as session:
            yield session

    @asynccontextmanager
    async def _opened(
        self, first: LiteralString, values: Mapping[str, object]
    ) -> AsyncGenerator[AsyncSession]:
        """A transaction that begins with `first`, on a second connection if the first is dead."""
        async with self._sessions() as session:
            driver = await driver_connection(session)
            try:
                await driver.execute(first, values)
            except psycopg.OperationalError:
                if not driver.closed:
                    raise
                await leave_connection(session)
                await (await driver_connection(session)).execute(first, values)
            try:
                yield session
            except psycopg.errors.ReadOnlySqlTransaction:
                await leave_connection(session)
                await self._engine.dispose()  # new connections may lead to the new primary
                raise
            await session.commit()

    async def call(self, statement: LiteralString, values: Mapping[str, object]) -> Any:
        """One statement that is a transaction of its own, in one round trip; its single value.

        For functions that name the tenant, fence and write by themselves; mappings go as JSON.
        Raises as `fenced`.
        """
        return (await self.rows(statement, values))[0][0]

    async def rows(
        self, statement: LiteralString, values: Mapping[str, object]
    ) -> list[tuple[Any, ...]]:
        """As `call`, every row of the answer."""
        [result] = await self._patiently((statement, values))
        return result

    async def together(self, org_id: UUID, *queries: Statement) -> list[list[tuple[Any, ...]]]:
        """Every row of several statements of an organization: one transaction, one round trip.

        For what needs no answer of one statement to ask the next.  Raises as `unit`.
        """
        try:
            _, *results = await self._patiently((_TENANT, _tenant(org_id)), *queries)
        except psycopg.Error as error:
            raise translated(error) from error
        return results

    async def _patiently(self, *queries: Statement) -> list[list[tuple[Any, ...]]]:
        check = lost_cancellation()
        for turn in range(1, CONTENDED_TRIES + 1):
            try:
                return await self._answered(queries)
            except psycopg.Error as error:
                check()
                if error.sqlstate == STALE_ATTEMPT:
                    raise StaleAttempt from error
                reason = outage(error)
                if isinstance(reason, Contended) and turn < CONTENDED_TRIES:
                    continue  # PostgreSQL rolled everything back
                raise (reason or error) from error
        raise DatabaseBusy

    async def _answered(self, queries: Sequence[Statement]) -> list[list[tuple[Any, ...]]]:
        await self._statements.open()
        try:
            async with self._statements.connection() as connection:
                async with AsyncExitStack() as until_answered:
                    if len(queries) > 1:  # what a pipeline sends is one transaction
                        await until_answered.enter_async_context(connection.pipeline())
                    cursors = [await connection.execute(each, given(of)) for each, of in queries]
                return [await each.fetchall() if each.description else [] for each in cursors]
        except psycopg.errors.ReadOnlySqlTransaction:
            await self._statements.drain()  # new connections may lead to the new primary
            raise

    @property
    def connections(self) -> tuple[int, int]:
        """Connections in use, and the most that there may be."""
        pool = self._engine.pool
        stats = self._statements.get_stats()
        taken = stats.get("pool_size", 0) - stats.get("pool_available", 0)
        return (pool.checkedout() if isinstance(pool, QueuePool) else 0) + taken, self._most

    async def close(self) -> None:
        """Close every connection."""
        await self._statements.close()
        await self._engine.dispose()


@asynccontextmanager
async def part_of(session: AsyncSession) -> AsyncGenerator[None]:
    """A part of a transaction: undone by itself where it raises.  Raises as `Database.unit`."""
    check = lost_cancellation()
    try:
        async with session.begin_nested():
            yield
    except (DBAPIError, psycopg.Error) as error:
        check()
        raise translated(error) from error


def _tenant(org_id: UUID | None) -> dict[str, object]:
    return {"org": str(org_id) if org_id else "", "shadow": "on" if _shadow.get() else ""}


def translated(error: Exception) -> Exception:
    """A driver's error as one of ours where the caller can act on it; else the error itself."""
    original = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(original, psycopg.Error):
        if original.sqlstate == STALE_ATTEMPT:
            return StaleAttempt()
        if original.sqlstate == SHADOW_WRITE:
            return ShadowWrite()
        if isinstance(original, psycopg.DataError):
            return Unstorable()
        if isinstance(original, psycopg.errors.UniqueViolation):
            return Conflict("Something with this key was written a moment ago; read it again.")
        if isinstance(original, psycopg.errors.ForeignKeyViolation):
            return Conflict("What this belongs to was removed a moment ago; read it again.")
    return outage(error) or error
