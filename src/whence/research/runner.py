"""Run a flow for one attempt: continue from the checkpoint, node by node, within the budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from whence.db.database import Database
from whence.events.bus import EventBus
from whence.kernel.errors import WhenceError
from whence.research import transitions
from whence.research.attempt import Attempt, claim
from whence.research.checkpoints import CheckpointPool, FencedSaver
from whence.research.execution import Execution, Workplace
from whence.research.fallback import CANDIDATE_DEATHS, fall_back
from whence.research.flow import Flow
from whence.research.questions import PersonAsked
from whence.research.siblings import Siblings
from whence.research.submit import AskedInShadow
from whence.research.versions import Flows
from whence.work import transitions as end_work
from whence.work.budget import Budget
from whence.work.executor import Ending, Executor
from whence.work.queue import JobQueue


@dataclass(frozen=True)
class Runner:
    """The dependencies of attempts; created once per worker."""

    db: Database
    queue: JobQueue
    bus: EventBus
    checkpoints: CheckpointPool
    flows: Flows
    place: Workplace
    budget_of: Callable[[Flow], Budget]
    node_concurrency: int
    """Most nodes of one run that work at once."""

    async def attempt(self, org_id: str, work_id: str = "", run_id: str = "") -> None:
        """The queue's handler: claim the run and work until it ends, pauses, or is taken over.

        Jobs queued by the previous version of whence pass the run as `run_id`.
        """
        executor = Executor(self.queue, self.bus)
        await executor.execute(self, UUID(org_id), UUID(work_id or run_id))

    async def claim(self, org_id: UUID, work_id: UUID) -> Attempt | None:
        """Claim the run; None if it has ended, waits for a person, or no longer exists."""
        return await claim(self.db, org_id, work_id, self.place.kinds)

    async def work(self, attempt: Attempt) -> Ending | None:
        """Run the flow to its end; returns an ending if it asks a person."""
        try:
            notice = await self._flow(attempt)
        except PersonAsked as pending:
            if attempt.is_shadow:
                return partial(end_work.fail, attempt, AskedInShadow())
            return partial(transitions.ask, attempt, pending.question)
        await transitions.succeed(attempt, self.place.kinds[attempt.kind], notice)
        return None

    def max_deaths(self, attempt: Attempt) -> int:
        """Fewer for a candidate version, as the primary one can take over."""
        return CANDIDATE_DEATHS if self._behind(attempt) else end_work.MAX_DEATHS

    def max_crashes(self, attempt: Attempt) -> int:
        """One for a candidate version, which the primary one then replaces."""
        return 1 if self._behind(attempt) else end_work.MAX_CRASHES

    def _behind(self, attempt: Attempt) -> Flow | None:
        """The primary version to take over if this one fails; None for itself and for shadows."""
        if attempt.is_shadow:
            return None
        return self.flows.behind(attempt.kind, attempt.flow, attempt.flow_version)

    async def give_up(self, attempt: Attempt, error: Exception) -> None:
        """Fail the run, or replace its candidate version by the primary one."""
        if primary := self._behind(attempt):
            await fall_back(attempt, error, queue=self.queue, primary=primary)
        else:
            await end_work.fail(attempt, error)

    async def _flow(self, attempt: Attempt) -> str | None:
        flow = self.flows.version(attempt.kind, attempt.flow, attempt.flow_version)
        flow = flow or self.flows.get((attempt.kind, attempt.flow))
        if flow is None:
            raise WhenceError(
                f"No installed pack offers the flow '{attempt.flow}' for {attempt.kind}."
            )
        siblings = Siblings(self.node_concurrency)
        saver = FencedSaver(
            self.checkpoints,
            attempt,
            lambda: transitions.not_resumable(attempt),
            sequential=flow.shape.is_sequential,
            saved=siblings.saved,
        )
        work = Execution(attempt, flow, self.place, self.budget_of(flow), saver, siblings)
        return await work.run()
