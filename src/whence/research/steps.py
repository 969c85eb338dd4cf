"""A node as a step of a run: its start and end are written down, fenced, and told to watchers."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from whence.events.types import NodeComplete, NodeStarted
from whence.kernel import log, metrics
from whence.kernel.clock import now
from whence.kernel.errors import BudgetExceeded, StaleAttempt, Unavailable, WhenceError
from whence.kernel.stopping import is_stopping
from whence.research.attempt import Attempt
from whence.research.flow import Update
from whence.research.questions import PersonAsked

_BEGIN = """
    SELECT n, seconds_left FROM whence.begin_step(%(org)s, %(run)s, %(token)s, %(node)s, %(at)s,
        %(reached)s, %(budget)s, %(event)s)
"""
_END = """
    SELECT whence.end_step(%(org)s, %(run)s, %(token)s, %(step)s, %(status)s, %(at)s, %(seconds)s,
                           %(event)s)
"""
Status = Literal["success", "error", "paused"]


class WorkCancelled(Exception):
    """Something that a node waited for was cancelled by others, such as a shared request."""


@dataclass(frozen=True)
class Time:
    """What a node may take, seconds: what the run's budget leaves, and `longest` by itself."""

    budget: float
    longest: float = math.inf


async def step(
    attempt: Attempt,
    node: str,
    body: Callable[[], Awaitable[Update]],
    time_for: Time,
    reached: int,
    ended: Callable[[int], None],
) -> Update:
    """Run one node; `reached` is its place in the flow, higher for later ones.  `ended` is told
    the number of the step once its end is written.

    Raises what the node raises, BudgetExceeded also for a node that hangs, or StaleAttempt.
    """
    ordinal, seconds_left = await _begin(attempt, node, reached, time_for.budget)
    log.bind(node=node)
    began = time.perf_counter()
    status: Status = "error"
    problem: str | None = None
    try:
        async with _within(min(seconds_left, time_for.longest), time_for):
            update = await body()
        status = "success"
        return update
    except PersonAsked as asked:
        status, problem = "paused", f"Waiting for an answer: {asked.question.text}"
        raise
    except Unavailable as error:
        status, problem = "paused", error.message
        raise
    except WhenceError as error:
        problem = error.message
        raise
    except asyncio.CancelledError as error:
        if is_stopping():
            raise
        # Nobody told this node to stop, and a run that ended so would have no next job.
        problem = "Something that this step waited for was cancelled."
        raise WorkCancelled from error
    except Exception as error:
        # Its own words may hold anything, such as a statement with its values: they go to the log.
        problem = f"An unexpected error ended this step ({type(error).__name__})."
        raise
    finally:
        if status == "success" or problem is not None:
            seconds = time.perf_counter() - began
            metrics.node_ended(f"{attempt.kind}/{attempt.flow}", node, status, seconds)
            await _end(attempt, node, ordinal, status, problem, seconds)
            ended(ordinal)


@asynccontextmanager
async def _within(seconds: float, time_for: Time) -> AsyncGenerator[None]:
    """Raises BudgetExceeded once the block has taken `seconds`; its own timeouts stay its own."""
    limit = asyncio.timeout(seconds if math.isfinite(seconds) else None)
    try:
        async with limit:
            yield
    except TimeoutError as error:
        if limit.expired():
            raise _worked_for(min(time_for.budget, time_for.longest)) from error
        raise


async def _begin(
    attempt: Attempt, node: str, reached: int, budget_seconds: float
) -> tuple[int, float]:
    event = NodeStarted(node=node, step=0, attempt=attempt.number)
    values = _fence(attempt) | {"node": node, "at": now(), "reached": reached}
    values |= {"budget": budget_seconds, "event": event.payload()}
    [(step, seconds_left)] = await attempt.db.rows(_BEGIN, values)
    if step is None:
        raise _worked_for(budget_seconds)
    return step, seconds_left


def _worked_for(seconds: float) -> BudgetExceeded:
    return BudgetExceeded(f"The run has worked for {seconds:g} seconds.", limit="seconds")


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
