"""A run's steps: read them, find those not done, close those that an attempt left open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic import Field
from sqlalchemy import select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements
from whence.db.statements import storable
from whence.events import log
from whence.events.types import NodeComplete
from whence.kernel.clock import now
from whence.kernel.wire import Wire
from whence.research.shape import Shape
from whence.research.tables import RUNS, RunStep
from whence.work.cancellation import CANCELLED


class StepDetail(Wire):
    """More about one node's turn."""

    error: str | None = None
    """The error message, if it did not succeed."""
    attempts: int = 1
    """Number of tries in this turn."""
    counts: dict[str, int] = Field(default_factory=dict)
    """The node's counts, such as documents read."""

    def stored(self) -> dict[str, Any]:
        """The form stored with the step."""
        return storable(self.model_dump(mode="json", by_alias=True))


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
    """The run's steps in the order of their start."""
    query = select(RunStep).where(RunStep.run_id == run_id).order_by(RunStep.ordinal)
    return list(await session.scalars(query))


async def close_cancelled(session: AsyncSession, run_id: UUID) -> None:
    """Close what a cancelled run leaves open: its steps and an open question."""
    await interrupt_steps(session, run_id, CANCELLED)
    await session.execute(update(RUNS).where(RUNS.c.id == run_id).values(question=None))


async def interrupt_steps(
    session: AsyncSession, run_id: UUID, reason: str, *, is_counted: bool = True
) -> None:
    """Close open steps with a reason, and add their duration to the time worked.

    `is_counted` is false if the worker died: it is unknown how long it still worked.
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


DONE = ("success", "skipped")


@dataclass(frozen=True)
class EndedEarly:
    """Why a run ends early, and the nodes that it did not finish, in order."""

    reason: str
    nodes: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """What was not done, for a flow without its own wording."""
        return (self.reason, *(f"{node} was not done" for node in self.nodes))


def undone(flow: Shape, steps: Sequence[RunStep]) -> tuple[str, ...]:
    """The nodes that a run did not finish, in the flow's order.

    A node that only a branch leads to may not have been needed: it counts only if it was started.
    So does the last node, which `partial` replaces.  A node in several branches is done when all
    started ones are.
    """
    begun = {step.node for step in steps}
    last = {(step.node, step.branch): step.status for step in steps}
    unfinished = {node for (node, _), status in last.items() if status not in DONE}
    on_the_way = set(flow.first) | {target for _, target in flow.edges}
    return tuple(
        name
        for name in flow.names
        if (name in unfinished if name in begun else name in on_the_way & flow.leading)
    )
