"""LangGraph's PostgreSQL checkpointer, with every write fenced.

LangGraph has no fencing: a worker that was suspended past its heartbeat would come back and
overwrite its successor's checkpoints.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self, cast

import psycopg
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg.abc import Params, Query, QueryNoTemplate
from psycopg.rows import DictRow, dict_row

from whence.db.database import RECONNECT_SECONDS, STALE_ATTEMPT
from whence.db.failures import DatabaseReadOnly, outage
from whence.db.pool import Pool, check_idle
from whence.kernel.errors import StaleAttempt, WhenceError
from whence.kernel.log import get
from whence.research.attempt import Attempt

_FENCE = "SELECT whence.fence_checkpoint(%s, %s, %s, %s)"

CheckpointPool = Pool[psycopg.AsyncConnection[DictRow]]
POOL_WAIT_SECONDS = 10.0
_DAMAGED = (ValueError, TypeError, LookupError, AttributeError, NotImplementedError)
"""The errors of LangGraph's decoders for unknown bytes and names."""
_TRIGGER = "branch:to:"
"""Prefix of LangGraph's channel that makes a node due."""
_START = "__start__"
"""The channel of the input, until it becomes the state."""
_SENT = "__pregel_tasks"
"""The channel of a fork's due branches, each with its own state."""
_JOIN = "join:"
"""Prefix of LangGraph's channel that counts a join's arrivals, such as `join:a+b:end`."""
_log = get("research.checkpoints")


def checkpoint_pool(conninfo: str, size: int) -> CheckpointPool:
    """The pool shared by a worker's checkpointers; open it before use."""
    return CheckpointPool(
        conninfo,
        connection_class=psycopg.AsyncConnection[DictRow],
        min_size=1,
        max_size=size,
        open=False,
        timeout=POOL_WAIT_SECONDS,
        reconnect_timeout=RECONNECT_SECONDS,
        kwargs={"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row},
        check=check_idle,
    )


class UnreadableCheckpoint(WhenceError):
    """its saved progress cannot be read"""


@dataclass(frozen=True)
class Saved:
    """The content of a checkpoint: the state so far, and the nodes to run next."""

    values: Mapping[str, object]
    due: frozenset[str]
    """Includes finished siblings of an unfinished node; LangGraph finds their results by name."""
    joins: frozenset[str] = frozenset()
    """The joins that a branch has reached, in LangGraph's form `a+b:end`."""


def saved(checkpoint: CheckpointTuple) -> Saved:
    """Read LangGraph's checkpoint, with the newest values of finished sibling nodes."""
    values: dict[str, object] = {}
    due: set[str] = set()
    joins: set[str] = set()
    document = checkpoint.checkpoint
    if document["channel_versions"].keys() < document["channel_values"].keys():
        raise ValueError("a value without its version")
    channels: Mapping[str, Any] = document["channel_values"]
    written = [(channel, value) for _, channel, value in checkpoint.pending_writes or []]
    for channel, value in [*channels.items(), *written]:
        if channel == _START:
            values |= value
        elif channel.startswith(_TRIGGER):
            due.add(channel.removeprefix(_TRIGGER))
        elif channel == _SENT:
            due |= {each.node for each in (value if isinstance(value, list) else [value])}
        elif channel.startswith(_JOIN):
            joins |= {channel.removeprefix(_JOIN)} if value else set()
        elif not channel.startswith("__"):
            values[channel] = value
    return Saved(values, frozenset(due), frozenset(joins))


class _OneMessage(psycopg.AsyncClientCursor[DictRow]):
    """Collects statements and sends them as one message, which is one transaction.

    In a transaction of several messages, a suspended worker would hold the run's row until it
    continues.
    """

    def __init__(self, connection: psycopg.AsyncConnection[DictRow]) -> None:
        super().__init__(connection, row_factory=dict_row)
        self._statements: list[str] = []

    async def execute(self, query: Query, params: Params | None = None, **_: object) -> Self:
        """Collect a statement; it returns no rows."""
        self._statements.append(self.mogrify(cast("QueryNoTemplate", query), params))
        return self

    async def executemany(
        self, query: Query, params_seq: Iterable[Params], *, returning: bool = False
    ) -> None:
        """Collect a statement once per set of parameters."""
        for params in params_seq:
            await self.execute(query, params)

    async def send(self) -> None:
        """Execute the collected statements, all or none; raises the first error."""
        await super().execute(";".join(self._statements).encode())


class FencedSaver(AsyncPostgresSaver):
    """A checkpointer for one attempt: a write raises StaleAttempt once the attempt is over.

    If checkpoints cannot be written although the database works, the run continues without them.
    During an outage, including a full disk, every method raises DatabaseBusy.
    """

    def __init__(
        self,
        pool: CheckpointPool,
        attempt: Attempt,
        lost: Callable[[], Awaitable[None]],
        *,
        sequential: bool = False,
        saved: Callable[[str], None] = lambda task: None,
    ) -> None:
        """`lost` is called once if checkpoints cannot be written.

        `sequential`: only one node runs at a time.  The checkpoint after a node then holds all its
        writes, so they are not also saved separately.  `saved` is called with each task whose
        writes are handled, even if they could not be stored.
        """
        super().__init__(pool)
        self._pool = pool
        self._attempt = attempt
        self._lost = lost
        self._sequential = sequential
        self._saved = saved
        self._is_lost = False
        self._follows = 0

    def follows(self, step: int) -> None:
        """The next checkpoints follow this step; they are refused if a database crash lost the
        step."""
        self._follows = step

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint, or continue without it; raises StaleAttempt."""
        if not self._is_lost:
            try:
                return await super().aput(config, checkpoint, metadata, new_versions)
            except psycopg.Error as error:
                await self._give_up(error)
        thread = {**self.config["configurable"], "checkpoint_id": checkpoint["id"]}
        return {"configurable": thread}

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Save a node's writes, or continue without them; raises StaleAttempt."""
        plain = all(channel not in WRITES_IDX_MAP for channel, _ in writes)
        try:
            if not self._is_lost and not (self._sequential and plain):
                await super().aput_writes(config, writes, task_id, task_path)
        except psycopg.Error as error:
            await self._give_up(error)
        finally:
            self._saved(task_id)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint to continue from; None if there is none or checkpoints cannot be used."""
        if self._is_lost:
            return None
        try:
            return await super().aget_tuple(config)
        except psycopg.Error as error:
            await self._give_up(error)
            return None

    async def forget(self) -> None:
        """Delete the run's checkpoints, so that it starts over; raises StaleAttempt."""
        try:
            await self.adelete_thread(str(self._attempt.run_id))
        except psycopg.Error as error:
            await self._give_up(error)

    async def _give_up(self, error: psycopg.Error) -> None:
        _log.warning("checkpoints lost", run=str(self._attempt.run_id), error=str(error))
        if not self._is_lost:
            self._is_lost = True
            await self._lost()

    @asynccontextmanager
    async def _cursor(
        self, *, pipeline: bool = False
    ) -> AsyncGenerator[psycopg.AsyncCursor[DictRow]]:
        of = self._attempt
        fence = (of.principal.org_id, of.run_id, of.number, self._follows)
        try:
            if not pipeline:
                async with super()._cursor() as cursor:
                    yield cursor
                return
            async with (
                of.lock,
                self._pool.connection() as connection,
                _OneMessage(connection) as cursor,
            ):
                await cursor.execute(_FENCE, fence)
                yield cursor
                await cursor.send()
        except psycopg.Error as error:
            if error.sqlstate == STALE_ATTEMPT:
                raise StaleAttempt from error
            away = outage(error)
            if isinstance(away, DatabaseReadOnly):
                await self._pool.drain()
            raise (away or error) from error

    @property
    def is_lost(self) -> bool:
        """Whether checkpoints cannot be written; the run has reported it."""
        return self._is_lost

    async def saved(self) -> Saved | None:
        """The state that the run would continue from; None if nothing is saved.

        Raises UnreadableCheckpoint for a damaged one, and what `aget_tuple` raises.
        """
        try:
            stored = await self.aget_tuple(self.config)
            return saved(stored) if stored else None
        except _DAMAGED as error:
            _log.warning("checkpoint damaged", run=str(self._attempt.run_id), error=repr(error))
            raise UnreadableCheckpoint from error

    @property
    def config(self) -> Any:
        """LangGraph's configuration for the run's thread."""
        return {"configurable": {"thread_id": str(self._attempt.run_id), "checkpoint_ns": ""}}
