"""A run's steps: reading them, and closing those that an ended attempt left open."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.clock import now
from whence.research.tables import RunStep

_INTERRUPT = text("""
    WITH closed AS (
        UPDATE whence.run_steps SET status = 'interrupted', completed_at = :at
        WHERE run_id = :run AND status = 'running'
        RETURNING extract(epoch FROM CAST(:at AS timestamptz) - started_at) AS seconds)
    UPDATE whence.work
    SET spent_seconds = spent_seconds + (SELECT coalesce(sum(seconds), 0) FROM closed)
    WHERE id = :run AND :counted AND EXISTS (SELECT FROM closed)
""")


async def steps(session: AsyncSession, run_id: UUID) -> list[RunStep]:
    """The run's steps in the order they began."""
    query = select(RunStep).where(RunStep.run_id == run_id).order_by(RunStep.ordinal)
    return list(await session.scalars(query))


async def interrupt_steps(session: AsyncSession, run_id: UUID, *, counted: bool = True) -> None:
    """Close the steps that an ended attempt left open, and count what they took as time worked.

    Not `counted` where the worker died: nobody knows for how long it still worked.
    """
    values = {"run": run_id, "at": now(), "counted": counted}
    await session.execute(_INTERRUPT, values)
