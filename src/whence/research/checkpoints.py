"""LangGraph's PostgreSQL checkpointer, with whence's fence in every write.

LangGraph itself has no fencing: a worker that was paused past its heartbeat would come back and
overwrite the checkpoints of its successor.
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
"""What LangGraph's decoders raise for bytes and names that are not theirs."""
_TRIGGER = "branch:to:"
"""How LangGraph names the channel by which a node is due."""
_START = "__start__"
"""The channel that holds the input, until it has become the state."""
_SENT = "__pregel_tasks"
"""The channel that holds the branches of a fork that are due, each with a state of its own."""
_JOIN = "join:"
"""How LangGraph names the channel in which a join counts what has arrived: `join:a+b:end`."""
_log = get("research.checkpoints")


def checkpoint_pool(conninfo: str, size: int) -> CheckpointPool:
    """The pool that checkpointers of one worker share; open it before use."""
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
    """What a checkpoint holds: the state so far, and the nodes that it would run next."""

    values: Mapping[str, object]
    due: frozenset[str]
    """Also nodes that have ended beside one that has not: their results are known by their name."""
    joins: frozenset[str] = frozenset()
    """The joins at which something has arrived, in LangGraph's words: `a+b:end`."""


def saved(checkpoint: CheckpointTuple) -> Saved:
    """Read LangGraph's checkpoint; the latest value counts where a node beside has ended."""
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
    """Gathers statements and sends them as one message, which is one transaction.

    In one that is told statement by statement a worker may be stopped, and would hold the run's row
    for as long as it is stopped.
    """

    def __init__(self, connection: psycopg.AsyncConnection[DictRow]) -> None:
        super().__init__(connection, row_factory=dict_row)
        self._statements: list[str] = []

    async def execute(self, query: Query, params: Params | None = None, **_: object) -> Self:
        """Gather a statement; it has no answer."""
        self._statements.append(self.mogrify(cast("QueryNoTemplate", query), params))
        return self

    async def executemany(
        self, query: Query, params_seq: Iterable[Params], *, returning: bool = False
    ) -> None:
        """Gather a statement once for each of these parameters."""
        for params in params_seq:
            await self.execute(query, params)

    async def send(self) -> None:
        """Do what was gathered, all or nothing; raises what the first refused statement raises."""
        await super().execute(";".join(self._statements).encode())


class FencedSaver(AsyncPostgresSaver):
    """A checkpointer for one attempt: a write raises StaleAttempt once the attempt is over.

    When checkpoints cannot be kept although the database is there, the run continues without them.
    While it is away or its disk is full, every method raises DatabaseBusy: then waiting is better.
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
        """`lost` is told once when checkpoints cannot be kept.

        `sequential`: no two nodes run at a time, so that the checkpoint which follows a node holds
        all that its separately saved writes would, and those are left out.  `saved` is told of each
        task whose writes were dealt with, also where they could not be kept.
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
        """The next checkpoints follow this step, and are refused where a crash lost it."""
        self._follows = step

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint, or continue without; raises StaleAttempt."""
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
        """Save a node's writes, or continue without; raises StaleAttempt."""
        plain = all(channel not in WRITES_IDX_MAP for channel, _ in writes)
        try:
            if not self._is_lost and not (self._sequential and plain):
                await super().aput_writes(config, writes, task_id, task_path)
        except psycopg.Error as error:
            await self._give_up(error)
        finally:
            self._saved(task_id)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint to continue from; None where there is none or they cannot be kept."""
        if self._is_lost:
            return None
        try:
            return await super().aget_tuple(config)
        except psycopg.Error as error:
            await self._give_up(error)
            return None

    async def forget(self) -> None:
        """Remove the run's checkpoints, so that it starts over; raises StaleAttempt."""
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
        """Whether checkpoints cannot be kept, which the run has said."""
        return self._is_lost

    async def saved(self) -> Saved | None:
        """What the run would continue from; None where nothing is kept.

        Raises UnreadableCheckpoint for one that was damaged, and as `aget_tuple`.
        """
        try:
            stored = await self.aget_tuple(self.config)
            return saved(stored) if stored else None
        except _DAMAGED as error:
            _log.warning("checkpoint damaged", run=str(self._attempt.run_id), error=repr(error))
            raise UnreadableCheckpoint from error

    @property
    def config(self) -> Any:
        """The run's thread, as LangGraph names it."""
        return {"configurable": {"thread_id": str(self._attempt.run_id), "checkpoint_ns": ""}}
