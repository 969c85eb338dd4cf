"""Running a flow for one attempt: claim, go on from the checkpoint, and end in a known state."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config
from langgraph.errors import GraphRecursionError
from pydantic_core import to_jsonable_python

from whence.db.database import Database, shadowed
from whence.db.failures import DatabaseBusy
from whence.events.bus import EventBus
from whence.kernel import metrics
from whence.kernel.errors import BudgetExceeded, StaleAttempt, Unavailable, WhenceError
from whence.kernel.log import bind, get
from whence.kernel.services import Services
from whence.kernel.stopping import is_stopping
from whence.llm.budget import Budget
from whence.records.kind import SubjectKind
from whence.research import continuing, endings, runs
from whence.research.asking import AskedInShadow
from whence.research.attempt import Attempt
from whence.research.checkpoints import CheckpointPool, FencedSaver
from whence.research.claim import claim
from whence.research.context import RunContext
from whence.research.early import undone
from whence.research.ended import EndedEarly
from whence.research.fallback import CANDIDATE_DEATHS, fall_back
from whence.research.flow import Bound, Flow, Node, Update, name_of
from whence.research.ledger import RunLedger
from whence.research.questions import PersonAsked
from whence.research.steps import Time, step
from whence.research.versions import Flows
from whence.tools.registry import ToolRegistry
from whence.work.queue import JobQueue

MAX_STEPS = 100
"""Nodes that one attempt may take, against a flow that never ends."""
PARTIAL_SECONDS = 60.0
"""What writing a partial dossier may take, beyond the budget that is used up."""
Ending = Callable[[], Awaitable[None]]
_log = get("research.runner")


class NeverEnds(WhenceError):
    """The research flow went on without an end and was stopped; its pack must bound its loops."""


class NotHandedBack(WhenceError):
    """The worker was stopped while it handed this run back; the run's job stays."""


@dataclass(frozen=True)
class Runner:
    """Everything that an attempt needs, built once per worker."""

    db: Database
    queue: JobQueue
    bus: EventBus
    checkpoints: CheckpointPool
    flows: Flows
    kinds: Mapping[str, SubjectKind]
    tools: ToolRegistry
    services: Services
    budget: Budget
    models_for: Callable[[RunLedger], AbstractContextManager[Any]]
    """Puts the configured models, billed to this ledger, behind the skills that a node calls."""

    async def attempt(self, org_id: str, run_id: str) -> None:
        """The job: take the run and work on it until it ends, pauses, or is taken away."""
        attempt = await self._claim(UUID(org_id), UUID(run_id))
        if attempt is None:
            return
        bind(org=org_id, user=attempt.principal.user_id, run=run_id, attempt=attempt.number)
        work = asyncio.create_task(self._work(attempt), name=f"run-{run_id}")

        def stop(other: str) -> None:
            if other == run_id:
                work.cancel()

        with self.bus.cancels(stop):
            try:
                await asyncio.wait([work])
            except asyncio.CancelledError:
                with _not_cut_short():
                    work.cancel()
                    await asyncio.wait([work])
                    await self._end(attempt, partial(endings.hand_back, attempt, self.queue))
                raise
        if not work.cancelled():
            work.result()

    async def _claim(self, org_id: UUID, run_id: UUID) -> Attempt | None:
        """Claim, also when told to stop meanwhile: a run that was taken must be handed back."""
        claiming = asyncio.create_task(claim(self.db, org_id, run_id, self.kinds))
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:
            with _not_cut_short():
                if attempt := await claiming:
                    await self._end(attempt, partial(endings.hand_back, attempt, self.queue))
            raise

    async def _work(self, attempt: Attempt) -> None:
        ending = self._over_at_once(attempt) or await self._worked(attempt)
        if ending:
            await self._end(attempt, ending)

    def _over_at_once(self, attempt: Attempt) -> Ending | None:
        """How an attempt ends that may not work: nobody left to act for, or too many deaths."""
        if attempt.requester_left:
            return partial(endings.fail, attempt, endings.RequesterLeft())
        if attempt.deaths >= (CANDIDATE_DEATHS if self._behind(attempt) else endings.MAX_DEATHS):
            return partial(self._give_up, attempt, endings.WorkerDied())
        if attempt.deaths > endings.DEATHS_AT_ONCE:
            return partial(endings.recover, attempt, self.queue)
        return None

    async def _worked(self, attempt: Attempt) -> Ending | None:
        """Work on the flow; how the attempt ends where it did not succeed."""
        try:
            notice = await self._flow(attempt)
            await endings.succeed(attempt, self.kinds[attempt.kind], notice)
        except PersonAsked as asked:
            refused = partial(endings.fail, attempt, AskedInShadow())
            return refused if attempt.is_shadow else partial(endings.ask, attempt, asked.question)
        except StaleAttempt:
            metrics.attempt_ended("stale")
            _log.info("attempt is over", run=str(attempt.run_id), attempt=attempt.number)
        except Unavailable as error:
            return partial(endings.pause, attempt, self.queue, error, self._give_up)
        except WhenceError as error:
            return partial(self._give_up, attempt, error)
        except Exception as error:  # noqa: BLE001 (the edge of a job: whatever it was, the run says so)
            _log.error("attempt crashed", run=str(attempt.run_id), exc_info=error)
            pause = partial(endings.pause, attempt, self.queue, error)
            return partial(self._give_up, attempt, error) if self._behind(attempt) else pause
        return None

    def _behind(self, attempt: Attempt) -> Flow | None:
        """The primary version that takes over from this attempt's; None for it and for shadows."""
        if attempt.is_shadow:
            return None
        return self.flows.behind(attempt.kind, attempt.flow, attempt.flow_version)

    async def _give_up(self, attempt: Attempt, error: Exception) -> None:
        """The run fails, or its candidate version gives way to the primary one."""
        if primary := self._behind(attempt):
            await fall_back(attempt, error, queue=self.queue, primary=primary)
        else:
            await endings.fail(attempt, error)

    async def _flow(self, attempt: Attempt) -> str | None:
        flow = self.flows.version(attempt.kind, attempt.flow, attempt.flow_version)
        flow = flow or self.flows.get((attempt.kind, attempt.flow))
        if flow is None:
            raise WhenceError(f"No pack offers the flow '{attempt.flow}' for {attempt.kind} now.")
        saver = FencedSaver(
            self.checkpoints,
            attempt,
            lambda: endings.not_resumable(attempt),
            sequential=flow.is_sequential,
        )
        seen: dict[str, Any] = {"subject_id": str(attempt.subject_id)}
        graph = flow.graph(lambda name, node: self._bind(attempt, flow, name, node, seen, saver))
        compiled = graph.compile(checkpointer=saver)
        goes_on = await continuing.goes_on(attempt, flow, saver)
        config = RunnableConfig(**saver.config, recursion_limit=MAX_STEPS)
        try:
            await compiled.ainvoke(None if goes_on else dict(seen), config, durability="sync")
        except BudgetExceeded as error:
            return await self._partial(attempt, flow, seen, saver, error)
        except GraphRecursionError as error:
            # No crash: the next attempt would get further, and so go on for ever.
            raise NeverEnds(f"{NeverEnds.__doc__} It took {MAX_STEPS} steps.") from error
        return None

    async def _partial(
        self,
        attempt: Attempt,
        flow: Flow,
        seen: dict[str, Any],
        saver: FencedSaver,
        error: BudgetExceeded,
    ) -> str:
        if flow.partial is None:
            raise error
        async with attempt.unit() as session:
            steps = await runs.steps(session, attempt.run_id)
        early = EndedEarly(error.message, undone(flow, steps))
        bound = self._bind(attempt, flow, name_of(flow.partial), flow.partial, seen, saver, early)
        await bound({**seen, "budget": error.message})
        return f"{error.message} What was found so far is in a partial dossier."

    def _bind(
        self,
        attempt: Attempt,
        flow: Flow,
        name: str,
        node: Node,
        seen: dict[str, Any],
        saver: FencedSaver,
        early: EndedEarly | None = None,
    ) -> Bound:
        """The node as LangGraph calls it; `seen` follows the state, for a run that ends early.

        What is written where it ended `early` has a little time of its own, and no models.
        """
        context = RunContext(
            attempt=attempt,
            node=name,
            subject_kind=self.kinds[attempt.kind],
            tools=self.tools,
            services=self.services,
            recomputations=flow.recomputations,
            ended_early=early,
        )
        time_for = Time(math.inf, PARTIAL_SECONDS) if early else Time(self.budget.seconds)

        async def bound(state: Any) -> Update:
            seen.update(state)
            ledger = RunLedger(attempt, name, self.budget)

            async def body() -> Update:
                models = nullcontext() if early else self.models_for(ledger)
                with shadowed(attempt.is_shadow), models:
                    # Plain values: what the next node sees is what a resumed run will read back.
                    return to_jsonable_python(await node(state, context))

            return await step(attempt, name, body, time_for, _place(), saver.follows)

        return bound

    async def _end(self, attempt: Attempt, ending: Ending) -> None:
        """Write an ending, however long the database is away, unless a successor has the run.

        Left unwritten it would look as if the worker had died.  Raises DatabaseBusy once told to
        stop: the job is then tried again, and so the run.
        """
        while True:
            try:
                await ending()
                break
            except StaleAttempt:
                metrics.attempt_ended("stale")
                _log.info("attempt is over", run=str(attempt.run_id), attempt=attempt.number)
                break
            except DatabaseBusy as error:
                if is_stopping():
                    raise
                _log.warning("end of the attempt not written, will try again", error=error.message)
                await asyncio.sleep(error.after)


@contextmanager
def _not_cut_short() -> Generator[None]:
    """Told to stop once more while it hands a run back.  A cancelled job is removed, and without
    a job nobody would take the run: raises NotHandedBack, after which it is tried again.
    """
    try:
        yield
    except asyncio.CancelledError as error:
        raise NotHandedBack from error


def _place() -> int:
    """How far in the flow the node at hand is: LangGraph's number for it, kept by checkpoints."""
    place = ensure_config().get("metadata", {}).get("langgraph_step", 0)
    return place if isinstance(place, int) else 0
