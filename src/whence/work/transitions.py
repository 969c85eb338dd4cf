"""How an attempt ends: each function writes the state, the event and, if the work continues, the
next attempt.

Each uses one fenced transaction, so a crash in between changes nothing, and a worker that lost the
work cannot end it.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.failures import DatabaseBusy
from whence.db.statements import storable_text
from whence.events import log
from whence.events.types import JobComplete, JobPaused
from whence.kernel import metrics
from whence.kernel.clock import now
from whence.kernel.errors import Forbidden, Unavailable, WhenceError
from whence.work.attempt import Attempt
from whence.work.queue import JobQueue
from whence.work.submission import enqueue, route_of, start
from whence.work.tables import WorkItem

MAX_OUTAGES = 8
"""Pauses at one place for an outside system before the work fails (about 1 hour)."""
MAX_CRASHES = 3
"""Attempts with an unexpected error at one place before the work fails."""
MAX_DEATHS = 8
"""Workers that may die at one place before the work fails: more than crashes, as a worker may be
killed for reasons that have nothing to do with the work."""
DEATHS_AT_ONCE = 1
"""Deaths at one place after which the next attempt still starts at once."""
FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 900.0
GiveUp = Callable[[Exception], Awaitable[None]]
"""Fails work that cannot continue."""


class WorkerDied(WhenceError):
    """The worker died each time it worked on this, perhaps for lack of memory; the work was stopped
    so that other work continues. Resume it to try again.
    """


class RequesterLeft(Forbidden):
    """The person who requested this is no longer a member of the organization, so it stopped;
    resume it to continue in your own name.
    """


async def finish(
    session: AsyncSession,
    attempt: Attempt,
    complete: JobComplete,
    *,
    result: Mapping[str, Any] | None = None,
    notice: str | None = None,
) -> None:
    """Write that the work has succeeded, with its event, in the given fenced transaction."""
    await session.execute(
        update(WorkItem)
        .where(WorkItem.id == attempt.work_id)
        .values(
            status="success",
            completed_at=now(),
            outages=0,
            crashes=0,
            deaths=0,
            notice=notice,
            result=result,
        )
    )
    await attempt.close(session, "The work ended before this step did.")
    await log.append(session, attempt.work_id, complete)


async def fail(attempt: Attempt, error: Exception) -> None:
    """End the work with an error for its user; finished parts stay."""
    async with attempt.fenced() as session:
        problem = _problem(error)
        await session.execute(
            update(WorkItem)
            .where(WorkItem.id == attempt.work_id)
            .values(status="error", completed_at=now(), error=problem)
        )
        await attempt.close(session, problem["message"])
        await log.append(session, attempt.work_id, JobComplete(status="error", error=problem))
    metrics.attempt_ended("error")


async def pause(
    attempt: Attempt,
    queue: JobQueue,
    error: Exception,
    give_up: GiveUp,
    max_crashes: int = MAX_CRASHES,
) -> None:
    """Pause and continue automatically; after too many pauses at one place, give up.

    Outages of the database itself, such as a full disk, do not count.
    """
    is_ours = isinstance(error, DatabaseBusy)
    is_outage = isinstance(error, Unavailable)
    async with attempt.fenced() as session:
        item = await _item(session, attempt)
        before = item.outages if is_outage else item.crashes
        given_up = not is_ours and before + 1 >= (MAX_OUTAGES if is_outage else max_crashes)
        item.outages += int(is_outage and not is_ours)
        item.crashes += int(not is_outage)
        if not given_up:
            await _wait(session, attempt, queue, item, before, error)
    if given_up:
        await give_up(error)
        return
    metrics.attempt_ended("paused")


async def can_pause(session: AsyncSession, work_id: UUID) -> bool:
    """Whether another outage at this place would pause the work; otherwise it would fail."""
    outages = await session.scalar(select(WorkItem.outages).where(WorkItem.id == work_id))
    return (outages or 0) + 1 < MAX_OUTAGES


async def recover(attempt: Attempt, queue: JobQueue) -> None:
    """Pause after several deaths in a row, longer each time.

    Work that kills its worker also stops the worker's other runs; the pause lets them progress.
    """
    died = WorkerDied("The worker died while it worked on this; it continues after a pause.")
    before = attempt.deaths - DEATHS_AT_ONCE - 1
    async with attempt.fenced() as session:
        await _wait(session, attempt, queue, await _item(session, attempt), before, died)
    metrics.attempt_ended("paused")


async def _wait(
    session: AsyncSession,
    attempt: Attempt,
    queue: JobQueue,
    item: WorkItem,
    before: int,
    error: Exception,
) -> None:
    """Pause, longer with each pause `before`, and queue the next attempt."""
    at = now() + timedelta(seconds=_delay(before, error))
    item.status, item.resume_at = "paused", at
    item.notice, item.error = attempt.paused_notice, _problem(error)
    await session.flush()
    await attempt.close(session, attempt.paused_notice + ".")
    await log.append(session, item.id, JobPaused(notice=attempt.paused_notice, resume_at=at))
    org_id = attempt.principal.org_id
    await enqueue(session, queue, org_id, item.id, route_of(item), item.priority, at)


async def hand_back(attempt: Attempt, queue: JobQueue) -> None:
    """Give the work back because the worker stops: another one continues at once, without counting
    a failure."""
    async with attempt.fenced() as session:
        item = await _item(session, attempt)
        item.status = "pending"
        await session.flush()
        await attempt.close(session, "The worker is stopping; another one continues.")
        org_id = attempt.principal.org_id
        await start(session, queue, org_id, item.id, route_of(item), item.priority)
    metrics.attempt_ended("handed_back")


async def _item(session: AsyncSession, attempt: Attempt) -> WorkItem:
    query = select(WorkItem).where(WorkItem.id == attempt.work_id)
    return (await session.scalars(query)).one()


def _delay(failures: int, error: Exception) -> float:
    if isinstance(error, Unavailable) and error.retry_after is not None:
        return min(error.retry_after, LONGEST_PAUSE_SECONDS)
    pause = min(FIRST_PAUSE_SECONDS * 2**failures, LONGEST_PAUSE_SECONDS)
    return pause * random.uniform(0.75, 1.25)


def _problem(error: Exception) -> dict[str, str]:
    if isinstance(error, WhenceError):
        return {"type": type(error).__name__, "message": storable_text(error.message)}
    return {
        "type": "Unexpected",
        "message": f"An unexpected error ended this step ({type(error).__name__}); "
        "the log has the details. Resume it to try again.",
    }
