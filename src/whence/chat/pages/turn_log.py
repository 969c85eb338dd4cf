"""Reads a turn from the conversation's log: its position, and the tools it called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

# The event before the turn's end is the complete answer, which readers get last.
_POSITION = text("""
    SELECT coalesce((SELECT last_seq FROM whence.streams WHERE stream_id = :stream), 0),
        coalesce((SELECT min(seq) FROM whence.events WHERE stream_id = :stream), 0),
        (SELECT max(seq) - 1 FROM whence.events WHERE stream_id = :stream
            AND type = 'turn_ended' AND payload->>'turnId' = :turn)
""")
_CALLS = text("""
    SELECT payload FROM whence.events WHERE stream_id = :stream AND seq <= :last
    AND type = 'tool_call' AND payload->>'messageId' = :message ORDER BY seq
""")


@dataclass(frozen=True)
class LogPosition:
    """Positions in the log at one moment."""

    last: int
    """The newest `seq`, 0 for an empty log."""
    first: int
    """The oldest `seq` that is kept, 0 if none is."""
    end: int | None
    """The `seq` of the event with the complete answer; None while it is being written, and after it
    was pruned."""


async def log_position(session: AsyncSession, session_id: UUID, turn_id: UUID) -> LogPosition:
    """The positions of a conversation's log, and where the turn ends in it."""
    values = {"stream": session_id, "turn": str(turn_id)}
    return LogPosition(*(await session.execute(_POSITION, values)).one())


async def calls_so_far(
    session: AsyncSession, session_id: UUID, message_id: UUID, last_seq: int
) -> list[dict[str, Any]]:
    """The `tool_call` events of an answer in progress, up to `last_seq`, in order."""
    values = {"stream": session_id, "message": str(message_id), "last": last_seq}
    return list(await session.scalars(_CALLS, values))
