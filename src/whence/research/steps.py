"""A node as a step of a run: its start and end are written down, fenced, and told to watchers."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Literal

from sqlalchemy import text

from whence.events import log
from whence.events.types import NodeComplete, NodeStarted
from whence.kernel.clock import now
from whence.kernel.errors import BudgetExceeded, StaleAttempt, Unavailable, WhenceError
from whence.research.attempt import Attempt
from whence.research.flow import Update

_BEGIN = text("""
    WITH run AS (
        UPDATE whence.runs SET current_node = :node, step_count = step_count + 1
        WHERE id = :run RETURNING step_count
    )
    INSERT INTO whence.run_steps (org_id, run_id, ordinal, node, attempt, status, started_at)
    SELECT whence.current_org(), :run, step_count, :node, :attempt, 'running', :at FROM run
    RETURNING ordinal
""")
_END = text("""
    WITH step AS (
        UPDATE whence.run_steps SET status = :status, completed_at = :at
        WHERE run_id = :run AND ordinal = :ordinal
    )
    UPDATE whence.runs SET spent_seconds = spent_seconds + :seconds WHERE id = :run
""")
Status = Literal["success", "error", "paused"]


async def step(
    attempt: Attempt, node: str, body: Callable[[], Awaitable[Update]], budget_seconds: float
) -> Update:
    """Run one node.  Raises what the node raises, BudgetExceeded, or StaleAttempt."""
    ordinal = await _begin(attempt, node, budget_seconds)
    began = time.perf_counter()
    status: Status = "error"
    problem: str | None = None
    try:
        update = await body()
        status = "success"
        return update
    except Unavailable as error:
        status, problem = "paused", error.message
        raise
    except WhenceError as error:
        problem = error.message
        raise
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise
    finally:
        if status == "success" or problem is not None:
            seconds = time.perf_counter() - began
            await _end(attempt, node, ordinal, status, problem, seconds)


async def _begin(attempt: Attempt, node: str, budget_seconds: float) -> int:
    async with attempt.fenced(flushed=False) as session:
        spent = await session.execute(
            text("SELECT spent_seconds FROM whence.runs WHERE id = :run"), {"run": attempt.run_id}
        )
        if spent.scalar_one() >= budget_seconds:
            raise BudgetExceeded(f"The run has worked for {budget_seconds:g} seconds.")
        values = {"run": attempt.run_id, "node": node, "attempt": attempt.number, "at": now()}
        ordinal: int = (await session.execute(_BEGIN, values)).scalar_one()
        started = NodeStarted(node=node, step=ordinal, attempt=attempt.number)
        await log.append(session, attempt.run_id, started)
    return ordinal


async def _end(
    attempt: Attempt,
    node: str,
    ordinal: int,
    status: Status,
    problem: str | None,
    seconds: float,
) -> None:
    at = now()
    event = NodeComplete(
        node=node,
        step=ordinal,
        status=status,
        duration_ms=round(seconds * 1000, 1),
        timestamp=at,
        error=problem,
    )
    try:
        async with attempt.fenced(flushed=False) as session:
            values = {"run": attempt.run_id, "ordinal": ordinal, "status": status}
            await session.execute(_END, values | {"at": at, "seconds": seconds})
            await log.append(session, attempt.run_id, event)
    except (StaleAttempt, Unavailable):
        if status == "success":
            raise
