"""Running a flow for one attempt: go on from the checkpoint, node by node, within the budget."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config
from langgraph.errors import GraphRecursionError
from pydantic_core import to_jsonable_python

from whence.db.database import Database, shadowed
from whence.events.bus import EventBus
from whence.kernel.errors import BudgetExceeded, WhenceError
from whence.kernel.services import Services
from whence.records.kind import SubjectKind
from whence.research import continuing, run_steps, transitions
from whence.research.attempt import Attempt
from whence.research.checkpoints import CheckpointPool, FencedSaver
from whence.research.claim import claim
from whence.research.context import RunContext
from whence.research.early import undone
from whence.research.ended import EndedEarly
from whence.research.fallback import CANDIDATE_DEATHS, fall_back
from whence.research.flow import Bound, Flow, Node, Update, name_of
from whence.research.questions import PersonAsked
from whence.research.steps import Time, step
from whence.research.submit import AskedInShadow
from whence.research.versions import Flows
from whence.tools.registry import ToolRegistry
from whence.work import transitions as end_work
from whence.work.budget import Budget
from whence.work.executor import Ending, Executor
from whence.work.ledger import Ledger
from whence.work.queue import JobQueue

MAX_STEPS = 100
"""Nodes that one attempt may take, against a flow that never ends."""
PARTIAL_SECONDS = 60.0
"""What writing a partial dossier may take, beyond the budget that is used up."""


class NeverEnds(WhenceError):
    """The research flow went on without an end and was stopped; its pack must bound its loops."""


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
    models_for: Callable[[Ledger], AbstractContextManager[Any]]
    """Puts the configured models, billed to this ledger, behind the skills that a node calls."""

    async def attempt(self, org_id: str, work_id: str = "", run_id: str = "") -> None:
        """The job: take the run and work on it until it ends, pauses, or is taken away.

        Jobs that the version before queued name the run as `run_id`.
        """
        executor = Executor(self.queue, self.bus)
        await executor.execute(self, UUID(org_id), UUID(work_id or run_id))

    async def claim(self, org_id: UUID, work_id: UUID) -> Attempt | None:
        """Take the run; None when it has ended, waits for a person, or is gone."""
        return await claim(self.db, org_id, work_id, self.kinds)

    async def work(self, attempt: Attempt) -> Ending | None:
        """Work on the flow until it is through; how the attempt ends where it asks a person."""
        try:
            notice = await self._flow(attempt)
        except PersonAsked as asked:
            if attempt.is_shadow:
                return partial(end_work.fail, attempt, AskedInShadow())
            return partial(transitions.ask, attempt, asked.question)
        await transitions.succeed(attempt, self.kinds[attempt.kind], notice)
        return None

    def max_deaths(self, attempt: Attempt) -> int:
        """Fewer for a candidate version, behind which the primary one waits."""
        return CANDIDATE_DEATHS if self._behind(attempt) else end_work.MAX_DEATHS

    def max_crashes(self, attempt: Attempt) -> int:
        """A candidate version gives way at its first crash."""
        return 1 if self._behind(attempt) else end_work.MAX_CRASHES

    def _behind(self, attempt: Attempt) -> Flow | None:
        """The primary version that takes over from this attempt's; None for it and for shadows."""
        if attempt.is_shadow:
            return None
        return self.flows.behind(attempt.kind, attempt.flow, attempt.flow_version)

    async def give_up(self, attempt: Attempt, error: Exception) -> None:
        """The run fails, or its candidate version gives way to the primary one."""
        if primary := self._behind(attempt):
            await fall_back(attempt, error, queue=self.queue, primary=primary)
        else:
            await end_work.fail(attempt, error)

    async def _flow(self, attempt: Attempt) -> str | None:
        flow = self.flows.version(attempt.kind, attempt.flow, attempt.flow_version)
        flow = flow or self.flows.get((attempt.kind, attempt.flow))
        if flow is None:
            raise WhenceError(f"No pack offers the flow '{attempt.flow}' for {attempt.kind} now.")
        saver = FencedSaver(
            self.checkpoints,
            attempt,
            lambda: transitions.not_resumable(attempt),
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
            steps = await run_steps.steps(session, attempt.run_id)
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
            ledger = Ledger(attempt, name, self.budget)

            async def body() -> Update:
                models = nullcontext() if early else self.models_for(ledger)
                with shadowed(attempt.is_shadow), models:
                    # Plain values: what the next node sees is what a resumed run will read back.
                    return to_jsonable_python(await node(state, context))

            return await step(attempt, name, body, time_for, _place(), saver.follows)

        return bound


def _place() -> int:
    """How far in the flow the node at hand is: LangGraph's number for it, kept by checkpoints."""
    place = ensure_config().get("metadata", {}).get("langgraph_step", 0)
    return place if isinstance(place, int) else 0
