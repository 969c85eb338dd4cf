"""A run's steps: reading them, and closing those that an ended attempt left open."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements
from whence.events import log
from whence.events.types import NodeComplete
from whence.kernel.clock import now
from whence.research.step_detail import StepDetail
from whence.research.tables import RUNS, RunStep
from whence.work.cancellation import CANCELLED

_CLOSE = """
    UPDATE whence.run_steps SET status = 'interrupted', completed_at = %(at)s, detail = %(detail)s
    WHERE run_id = %(run)s AND status = 'running'
    RETURNING ordinal, node, branch, started_at
"""
_COUNT = text("""
    WITH open AS (
        SELECT org_id, id, counted_until FROM whence.runs WHERE id = :run AND open_steps > 0
    ), closed AS (
        UPDATE whence.runs r SET open_steps = 0, counted_until = NULL FROM open
        WHERE r.org_id = open.org_id AND r.id = open.id
    )
    UPDATE whence.work w SET spent_seconds = whence.worked(w.spent_seconds, open.counted_until, :at)
    FROM open WHERE w.org_id = open.org_id AND w.id = open.id AND :counted
""")


async def steps(session: AsyncSession, run_id: UUID) -> list[RunStep]:
    """The run's steps in the order they began."""
    query = select(RunStep).where(RunStep.run_id == run_id).order_by(RunStep.ordinal)
    return list(await session.scalars(query))


async def close_cancelled(session: AsyncSession, run_id: UUID) -> None:
    """Close what a cancelled run leaves open: its steps, and a question that waits."""
    await interrupt_steps(session, run_id, CANCELLED)
    await session.execute(update(RUNS).where(RUNS.c.id == run_id).values(question=None))


async def interrupt_steps(
    session: AsyncSession, run_id: UUID, reason: str, *, is_counted: bool = True
) -> None:
    """Close the steps that are open, say why, and count what they took as time worked.

    Not `is_counted` where the worker died: nobody knows for how long it still worked.
    """
    at = now()
    values = {"run": run_id, "at": at, "detail": StepDetail(error=reason).stored()}
    closed = await statements.rows(session, _CLOSE, values)
    await session.execute(_COUNT, {"run": run_id, "at": at, "counted": is_counted})
    if closed:
        events = [
            NodeComplete(
                node=node,
                step=ordinal,
                status="interrupted",
                duration_ms=max(0.0, round((at - started_at).total_seconds() * 1000, 1)),
                timestamp=at,
                error=reason,
                branch=branch,
            )
            for ordinal, node, branch, started_at in sorted(closed)
        ]
        await log.append_all(session, run_id, events)
