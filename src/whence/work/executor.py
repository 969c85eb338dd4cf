"""Make one attempt at a unit of work: claim it, work, and end in a known state.

For every type of work: a worker that stops hands its work back, a cancelled attempt stops at once,
and the outcome is written even if the database is away for long.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.failures import DatabaseBusy
from whence.events.bus import EventBus
from whence.kernel import metrics
from whence.kernel.errors import StaleAttempt, Unavailable, WhenceError
from whence.kernel.log import bind, get
from whence.kernel.stopping import is_stopping
from whence.work import cancellation, transitions
from whence.work.attempt import Attempt
from whence.work.queue import JobQueue

A = TypeVar("A", bound=Attempt)
Ending = Callable[[], Awaitable[None]]
"""Writes the outcome of an attempt."""
_log = get("work.executor")


class NotHandedBack(WhenceError):
    """The worker was stopped while it handed this work back; its job stays in the queue."""


class Policy(Protocol[A]):
    """The decisions that a type of work makes about its attempts."""

    async def claim(self, org_id: UUID, work_id: UUID) -> A | None:
        """Claim the work; None if it has ended, waits for a person, or no longer exists."""
        ...

    async def work(self, attempt: A) -> Ending | None:
        """Do the work and write its success (returns None), or return another ending."""
        ...

    async def give_up(self, attempt: A, error: Exception) -> None:
        """Fail work that cannot continue."""
        ...

    def max_deaths(self, attempt: A) -> int:
        """How many workers may die at one place."""
        ...

    def max_crashes(self, attempt: A) -> int:
        """How many attempts may end with an unexpected error at one place."""
        ...


@dataclass(frozen=True)
class Executor:
    """Runs attempts in this process."""

    queue: JobQueue
    bus: EventBus

    async def execute(self, policy: Policy[A], org_id: UUID, work_id: UUID) -> None:
        """Claim the work and run it until it ends, pauses, or another worker takes it over."""
        attempt = await self._claim(policy, org_id, work_id)
        if attempt is None:
            return
        bind(org=org_id, user=attempt.principal.user_id, run=str(work_id), attempt=attempt.number)
        work = asyncio.create_task(self._work(policy, attempt), name=f"work-{work_id}")

        def stop(other: str) -> None:
            if other == str(work_id):
                work.cancel()

        with self.bus.cancels(stop):
            try:
                await asyncio.wait([work])
            except asyncio.CancelledError:
                with keeping_the_job():
                    work.cancel()
                    await asyncio.wait([work])
                    await self._end(attempt, partial(transitions.hand_back, attempt, self.queue))
                raise
        if work.cancelled():
            await _end_if_cancelled(attempt)
            metrics.attempt_ended("cancelled")
        else:
            work.result()

    async def _claim(self, policy: Policy[A], org_id: UUID, work_id: UUID) -> A | None:
        """Claim; if cancelled during the claim, hand the claimed work back."""
        claiming = asyncio.ensure_future(policy.claim(org_id, work_id))
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:
            with keeping_the_job():
                if attempt := await claiming:
                    await self._end(attempt, partial(transitions.hand_back, attempt, self.queue))
            raise

    async def _work(self, policy: Policy[A], attempt: A) -> None:
        ending = self._ending_without_work(policy, attempt) or await self._outcome(policy, attempt)
        if ending:
            await self._end(attempt, ending)

    def _ending_without_work(self, policy: Policy[A], attempt: A) -> Ending | None:
        """The ending of an attempt that may not start: the requester left, or too many deaths."""
        if attempt.requester_left:
            return partial(transitions.fail, attempt, transitions.RequesterLeft())
        if attempt.deaths >= policy.max_deaths(attempt):
            return partial(policy.give_up, attempt, transitions.WorkerDied())
        if attempt.deaths > transitions.DEATHS_AT_ONCE:
            return partial(transitions.recover, attempt, self.queue)
        return None

    async def _outcome(self, policy: Policy[A], attempt: A) -> Ending | None:
        """Do the work; returns the ending if it did not succeed."""
        give_up = partial(policy.give_up, attempt)
        try:
            return await policy.work(attempt)
        except StaleAttempt:
            await _is_over(attempt)
        except Unavailable as error:
            return partial(transitions.pause, attempt, self.queue, error, give_up)
        except WhenceError as error:
            return partial(give_up, error)
        except Exception as error:  # noqa: BLE001 (the edge of a job: the outcome records it)
            _log.error("attempt crashed", run=str(attempt.work_id), exc_info=error)
            most = policy.max_crashes(attempt)
            return partial(transitions.pause, attempt, self.queue, error, give_up, most)
        return None

    async def _end(self, attempt: Attempt, ending: Ending) -> None:
        """Write an ending, retrying while the database is away, unless a successor has the work.

        An unwritten ending would look like a dead worker.  Raises DatabaseBusy if the worker is
        stopping: then the job, and with it the work, is tried again.
        """
        try:
            await until_written(ending)
        except StaleAttempt:
            await _is_over(attempt)


async def until_written(ending: Ending) -> None:
    """Write an ending, retrying while the database is away.

    Raises DatabaseBusy if the worker is stopping.
    """
    while True:
        try:
            return await ending()
        except DatabaseBusy as error:
            if is_stopping():
                raise
            _log.warning("end of the attempt not written, will try again", error=error.message)
            await asyncio.sleep(error.after)


async def _is_over(attempt: Attempt) -> None:
    """Handle an attempt that lost its work to another attempt or to a request to cancel."""
    _log.info("attempt is over", run=str(attempt.work_id), attempt=attempt.number)
    is_cancelled = await _end_if_cancelled(attempt)
    metrics.attempt_ended("cancelled" if is_cancelled else "stale")


async def _end_if_cancelled(attempt: Attempt) -> bool:
    """End work that was cancelled while this attempt held its row; returns whether it was."""

    async def close(session: AsyncSession, work_id: UUID) -> None:
        await attempt.close(session, cancellation.CANCELLED)

    try:
        async with attempt.db.unit(attempt.principal.org_id) as session:
            await cancellation.end_if_requested(session, attempt.work_id, close)
            return await cancellation.is_cancelled(session, attempt.work_id)
    except DatabaseBusy as error:
        _log.warning("a worker will end it if it was cancelled", error=error.message)
        return False


@contextmanager
def keeping_the_job() -> Generator[None]:
    """Turn a cancellation during the hand-back into NotHandedBack.  A cancelled job would be
    removed, and without a job no worker would take the work; a failed job is tried again.
    """
    try:
        yield
    except asyncio.CancelledError as error:
        raise NotHandedBack from error
