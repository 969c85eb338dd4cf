"""The application's connections, always as the role that row-level security binds.

A unit of work belongs to one organization, which is set for its transaction only. A query that
forgets the organization still cannot see another organization's rows.
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
from whence.db.statements import driver_connection, driver_values, leave_connection
from whence.db.urls import sqlalchemy_url
from whence.kernel.errors import Conflict, Invalid, StaleAttempt, WhenceError
from whence.kernel.stopping import lost_cancellation

POOL_SIZE = 20
POOL_OVERFLOW = 0
"""None beyond the pool's size. A connection is a server process that takes milliseconds to start,
so the pool keeps those of a burst for the next one."""
STATEMENTS_POOL_SIZE = 10
"""Connections for single-statement transactions."""
POOL_WAIT_SECONDS = 10
RECONNECT_SECONDS = 3.0
"""How long a pool keeps trying to connect in the background. It doubles its wait after each
failure, so a longer limit would let callers wait although the server is back."""
Statement: TypeAlias = tuple[LiteralString, Mapping[str, object]]
"""SQL with `%(name)s` placeholders, and their values; a mapping is sent as JSON."""
CONTENDED_TRIES = 3
"""Attempts at a statement that keeps losing a conflict, before the error is raised."""
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
    """A value cannot be stored: a number is too large, or a text has a character such as NUL."""


class ShadowWrite(WhenceError):
    """A shadow run may not write to a pack's tables; change the record with `run.change`, which a
    shadow run skips.
    """


_shadow: ContextVar[bool] = ContextVar("shadow", default=False)


@contextmanager
def shadowed(is_shadow: bool) -> Generator[None]:
    """Mark the code inside as a shadow run: writes to packs' tables raise ShadowWrite."""
    outer = _shadow.set(is_shadow)
    try:
        yield
    finally:
        _shadow.reset(outer)


class Database:
    """A pool of connections for one process; `unit` opens a tenant's transaction."""

    def __init__(self, conninfo: str, size: int | None = None) -> None:
        """Open at most `size` connections for transactions, plus a few for single statements."""
        size = POOL_SIZE if size is None else size
        self.conninfo = conninfo
        self._engine = create_async_engine(
            sqlalchemy_url(conninfo),
            pool_size=size,
            max_overflow=POOL_OVERFLOW,
            pool_timeout=POOL_WAIT_SECONDS,
            hide_parameters=True,  # failed statements are logged; their values are personal data
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
        """A transaction for one organization; with None, no tenant's row is visible.

        Commits at the end, rolls back on any error.  Raises DatabaseBusy if the server is away or
        the pool is exhausted, StaleAttempt if a fence inside refuses the write.
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
        """A run's transaction; raises StaleAttempt once another attempt owns the run.

        It locks the run's row, so a second one of the same run inside it would wait forever: that
        raises NestedFence.  With `flushed=False` (for progress) the commit does not wait for the
        disk; the next flushed commit makes it durable.
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
        """Like `unit`, but joins the transaction of this run that the current task has open.

        If each of many parallel nodes took a second connection, the pool would run out.
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
        """A transaction that begins with `first`; a dead connection is replaced once."""
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
                await self._engine.dispose()  # new connections may reach the new primary
                raise
            await session.commit()

    async def call(self, statement: LiteralString, values: Mapping[str, object]) -> Any:
        """Run one statement as a transaction, in one round trip; returns its single value.

        For SQL functions that set the tenant, fence and write by themselves; a mapping is sent as
        JSON. Raises what `fenced` raises.
        """
        return (await self.rows(statement, values))[0][0]

    async def rows(
        self, statement: LiteralString, values: Mapping[str, object]
    ) -> list[tuple[Any, ...]]:
        """Like `call`, but returns every row."""
        [result] = await self._retried((statement, values))
        return result

    async def together(self, org_id: UUID, *queries: Statement) -> list[list[tuple[Any, ...]]]:
        """Run several statements for an organization in one transaction and one round trip.

        Returns the rows of each.  For statements that do not need each other's results.  Raises
        what `unit` raises.
        """
        try:
            _, *results = await self._retried((_TENANT, _tenant(org_id)), *queries)
        except psycopg.Error as error:
            raise translated(error) from error
        return results

    async def _retried(self, *queries: Statement) -> list[list[tuple[Any, ...]]]:
        check = lost_cancellation()
        for attempt in range(1, CONTENDED_TRIES + 1):
            try:
                return await self._executed(queries)
            except psycopg.Error as error:
                check()
                if error.sqlstate == STALE_ATTEMPT:
                    raise StaleAttempt from error
                reason = outage(error)
                if isinstance(reason, Contended) and attempt < CONTENDED_TRIES:
                    continue  # PostgreSQL rolled everything back
                raise (reason or error) from error
        raise DatabaseBusy

    async def _executed(self, queries: Sequence[Statement]) -> list[list[tuple[Any, ...]]]:
        await self._statements.open()
        try:
            async with self._statements.connection() as connection:
                async with AsyncExitStack() as until_answered:
                    if len(queries) > 1:  # a pipeline is one transaction
                        await until_answered.enter_async_context(connection.pipeline())
                    cursors = [
                        await connection.execute(each, driver_values(of)) for each, of in queries
                    ]
                return [await each.fetchall() if each.description else [] for each in cursors]
        except psycopg.errors.ReadOnlySqlTransaction:
            await self._statements.drain()  # new connections may reach the new primary
            raise

    @property
    def connections(self) -> tuple[int, int]:
        """The connections in use, and the largest possible number."""
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
    """A savepoint: if the code inside raises, only that part is undone.  Raises what
    `Database.unit` raises."""
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
    """The WhenceError for a driver's error that the caller can act on, otherwise the same error."""
    original = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(original, psycopg.Error):
        if original.sqlstate == STALE_ATTEMPT:
            return StaleAttempt()
        if original.sqlstate == SHADOW_WRITE:
            return ShadowWrite()
        if isinstance(original, psycopg.DataError):
            return Unstorable()
        if isinstance(original, psycopg.errors.UniqueViolation):
            return Conflict("Another request has just written this key; read it again.")
        if isinstance(original, psycopg.errors.ForeignKeyViolation):
            return Conflict("The record that this belongs to has just been removed; read it again.")
    return outage(error) or error
