"""A node as a step of a run: its start and end are written down, fenced, and told to watchers."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Literal

from whence.events.types import NodeComplete, NodeStarted
from whence.kernel import log, metrics
from whence.kernel.clock import now
from whence.kernel.errors import BudgetExceeded, StaleAttempt, Unavailable, WhenceError
from whence.research.attempt import Attempt
from whence.research.flow import Update

_BEGIN = """
    SELECT whence.begin_step(%(org)s, %(run)s, %(token)s, %(node)s, %(at)s, %(budget)s, %(event)s)
"""
_END = """
    SELECT whence.end_step(%(org)s, %(run)s, %(token)s, %(step)s, %(status)s, %(at)s, %(seconds)s,
                           %(event)s)
"""
Status = Literal["success", "error", "paused"]


async def step(
    attempt: Attempt, node: str, body: Callable[[], Awaitable[Update]], budget_seconds: float
) -> Update:
    """Run one node.  Raises what the node raises, BudgetExceeded, or StaleAttempt."""
    ordinal = await _begin(attempt, node, budget_seconds)
    log.bind(node=node)
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
        # Its own words may hold anything, such as a statement with its values: they go to the log.
        problem = f"An unexpected error ended this step ({type(error).__name__})."
        raise
    finally:
        if status == "success" or problem is not None:
            seconds = time.perf_counter() - began
            metrics.node_ended(f"{attempt.kind}/{attempt.flow}", node, status, seconds)
            await _end(attempt, node, ordinal, status, problem, seconds)


async def _begin(attempt: Attempt, node: str, budget_seconds: float) -> int:
    event = NodeStarted(node=node, step=0, attempt=attempt.number)
    values = _fence(attempt) | {"node": node, "at": now(), "budget": budget_seconds}
    step = await attempt.db.call(_BEGIN, values | {"event": event.payload()})
    if step is None:
        raise BudgetExceeded(f"The run has worked for {budget_seconds:g} seconds.")
    return step


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
    values = _fence(attempt) | {"step": ordinal, "status": status, "at": at, "seconds": seconds}
    try:
        await attempt.db.call(_END, values | {"event": event.payload()})
    except (StaleAttempt, Unavailable):
        if status == "success":
            raise


def _fence(attempt: Attempt) -> dict[str, object]:
    return {"org": attempt.principal.org_id, "run": attempt.run_id, "token": attempt.number}
