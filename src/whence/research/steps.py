"""A node's turn as a step of a run: its start and end are written, fenced, with events."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal

from whence.events.types import NodeComplete, NodeStarted
from whence.kernel import log, metrics
from whence.kernel.clock import now
from whence.kernel.errors import BudgetExceeded, StaleAttempt, Unavailable, WhenceError
from whence.kernel.stopping import is_stopping
from whence.research.attempt import Attempt
from whence.research.flow import NodeLimits, Update
from whence.research.questions import PersonAsked
from whence.research.run_steps import DONE, StepDetail
from whence.research.tables import RunStep

_BEGIN = """
    SELECT n, seconds_left FROM whence.begin_step(%(org)s, %(run)s, %(token)s, %(node)s, %(branch)s,
        %(at)s, %(place)s, %(budget)s, %(event)s)
"""
_END = """
    SELECT whence.end_step(%(org)s, %(run)s, %(token)s, %(step)s, %(status)s, %(at)s, %(detail)s,
                           %(percent)s, %(event)s)
"""
Status = Literal["success", "error", "paused", "skipped"]
_log = log.get("research.steps")


class WorkCancelled(Exception):
    """Something that a node awaited was cancelled elsewhere, such as a shared request."""


class NodeTookTooLong(WhenceError):
    """A step of the research took longer than its flow allows; raise `seconds` of the node."""


@dataclass
class Turn:
    """One turn of a node: its place in the run, its limits, and its reports."""

    node: str
    place: int = 0
    """LangGraph's number of the step, which checkpoints preserve."""
    branch: str | None = None
    """The name of its branch, if the node runs in several."""
    budget_seconds: float = math.inf
    """The run's total working time."""
    limits: NodeLimits = field(default_factory=NodeLimits)
    is_skipped: bool = False
    counts: Counter[str] = field(default_factory=Counter[str])
    """The node's counts."""
    attempts: int = 0
    on_ended: Callable[[int], None] = lambda step: None
    """Called with the step's number once its end is written."""
    percent: Callable[[bool], int | None] = lambda is_done: None
    """The run's progress in per cent after this turn."""


async def step(attempt: Attempt, turn: Turn, body: Callable[[], Awaitable[Update]]) -> Update:
    """Run one turn of a node.

    Raises the node's errors, BudgetExceeded (also for a node that hangs), or StaleAttempt.
    """
    ordinal, seconds_left = await _begin(attempt, turn)
    log.bind(node=turn.node)
    began = time.perf_counter()
    status: Status = "error"
    problem: str | None = None
    try:
        update = await _run_node(turn, body, seconds_left)
        status = "skipped" if turn.is_skipped else "success"
        return update
    except PersonAsked as pending:
        status, problem = "paused", f"Waiting for an answer: {pending.question.text}"
        raise
    except Unavailable as error:
        status, problem = "paused", error.message
        raise
    except WhenceError as error:
        problem = error.message
        raise
    except Exception as error:  # a node may raise anything; the step records it
        # The message may hold personal data, such as a statement's values: it goes to the log only.
        problem = f"An unexpected error ended this step ({type(error).__name__})."
        if isinstance(error, WorkCancelled):
            problem = "Something that this step was waiting for was cancelled."
        raise
    finally:
        if status in DONE or problem is not None:
            seconds = time.perf_counter() - began
            metrics.node_ended(f"{attempt.kind}/{attempt.flow}", turn.node, status, seconds)
            await _end(attempt, turn, ordinal, status, problem, seconds)


async def _run_node(turn: Turn, body: Callable[[], Awaitable[Update]], seconds: float) -> Update:
    """Run the node, with as many tries as it declares, within `seconds`; returns its update."""
    deadline = time.monotonic() + seconds
    while True:
        turn.attempts += 1
        try:
            async with _within(turn, deadline - time.monotonic()):
                return await body()
        except (NodeTookTooLong, WorkCancelled) as error:
            problem: Exception = error
        except (PersonAsked, WhenceError):
            raise
        except asyncio.CancelledError as error:
            if is_stopping():
                raise
            # The run itself was not cancelled; passing the cancellation on would leave it without a
            # job.
            problem = WorkCancelled()
            problem.__cause__ = error
        except Exception as error:  # noqa: BLE001 (a node may raise anything; the last error is raised)
            problem = error
        if turn.attempts >= turn.limits.attempts:
            raise problem
        _log.warning(
            "trying the node again", node=turn.node, attempts=turn.attempts, exc_info=problem
        )


@asynccontextmanager
async def _within(turn: Turn, left: float) -> AsyncGenerator[None]:
    """Raise BudgetExceeded once the run's time is used up, NodeTookTooLong once the node's is.

    Timeouts raised inside the block pass through unchanged.
    """
    seconds = min(left, turn.limits.seconds)
    limit = asyncio.timeout(seconds if math.isfinite(seconds) else None)
    try:
        async with limit:
            yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        if left <= turn.limits.seconds:
            raise _worked_for(turn.budget_seconds) from error
        where = f" ({turn.branch})" if turn.branch else ""
        raise NodeTookTooLong(
            f"{turn.node}{where} took longer than its {turn.limits.seconds:g} seconds."
        ) from error


async def _begin(attempt: Attempt, turn: Turn) -> tuple[int, float]:
    event = NodeStarted(node=turn.node, step=0, attempt=attempt.number, branch=turn.branch)
    values = _fence(attempt) | {"node": turn.node, "branch": turn.branch, "at": now()}
    values |= {"place": turn.place, "budget": turn.budget_seconds, "event": event.payload()}
    [(number, seconds_left)] = await attempt.rows(_BEGIN, values)
    if number is None:
        raise _worked_for(turn.budget_seconds)
    return number, seconds_left


def _worked_for(seconds: float) -> BudgetExceeded:
    return BudgetExceeded(f"The run has worked for {seconds:g} seconds.", limit="seconds")


async def _end(
    attempt: Attempt, turn: Turn, ordinal: int, status: Status, problem: str | None, seconds: float
) -> None:
    at = now()
    is_done = status in DONE
    percent = turn.percent(is_done)
    detail = StepDetail(error=problem, attempts=turn.attempts, counts=dict(turn.counts))
    event = NodeComplete(
        node=turn.node,
        step=ordinal,
        status=status,
        duration_ms=round(seconds * 1000, 1),
        timestamp=at,
        error=problem,
        branch=turn.branch,
        progress=percent,
    )
    values = _fence(attempt) | {"step": ordinal, "status": status, "at": at, "percent": percent}
    try:
        await attempt.rows(_END, values | {"detail": detail.stored(), "event": event.payload()})
    except (StaleAttempt, Unavailable):
        if is_done:
            raise
    else:
        turn.on_ended(ordinal)


def _fence(attempt: Attempt) -> dict[str, object]:
    return {"org": attempt.principal.org_id, "run": attempt.run_id, "token": attempt.number}


UNFINISHED = 99
"""The highest progress before a run has ended: work follows even its last node."""
_Place = tuple[int, str | None]
"""A node's place in the flow, and its branch."""


class ProgressMeter:
    """Progress: the share of each node's planned turns that are done."""

    def __init__(self, shares: Mapping[str, float], steps: Iterable[RunStep] = ()) -> None:
        """`steps` are those of earlier attempts."""
        self._shares = shares
        self._planned: defaultdict[str, set[_Place]] = defaultdict(set)
        self._done: defaultdict[str, set[_Place]] = defaultdict(set)
        for step in steps:
            if step.status in DONE:
                self.plan(step.node, step.place, step.branch)
                self.finish(step.node, step.place, step.branch)

    def plan(self, node: str, place: int, branch: str | None) -> None:
        """Add a turn that starts now or as soon as there is room."""
        self._planned[node].add((place, branch))

    def finish(self, node: str, place: int, branch: str | None) -> None:
        """Mark a turn as done."""
        self._done[node].add((place, branch))

    @property
    def percent(self) -> int | None:
        """0 to 99; None if the flow declares no shares."""
        if not (whole := sum(self._shares.values())):
            return None
        done = sum(
            share * len(self._done[node]) / len(self._planned[node])
            for node, share in self._shares.items()
            if self._planned[node]
        )
        return min(UNFINISHED, int(100 * done / whole))
