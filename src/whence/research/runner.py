"""Running a flow for one attempt: claim, go on from the checkpoint, and end in a known state."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from langgraph.graph.state import CompiledStateGraph

from whence.db.database import Database
from whence.events.bus import EventBus
from whence.jobs.queue import JobQueue
from whence.kernel.errors import BudgetExceeded, StaleAttempt, Unavailable, WhenceError
from whence.kernel.log import get
from whence.kernel.services import Services
from whence.llm.budget import Budget
from whence.research import endings
from whence.research.attempt import Attempt
from whence.research.checkpoints import CheckpointPool, FencedSaver
from whence.research.claim import claim
from whence.research.context import RunContext
from whence.research.flow import Bound, Flow, Node, Update, name_of
from whence.research.ledger import RunLedger
from whence.research.steps import step
from whence.subjects.kind import SubjectKind
from whence.tools.registry import ToolRegistry

MAX_STEPS = 100
"""Nodes that one run may take, against a flow that never ends."""
_log = get("research.runner")


@dataclass(frozen=True)
class Runner:
    """Everything that an attempt needs, built once per worker."""

    db: Database
    queue: JobQueue
    bus: EventBus
    checkpoints: CheckpointPool
    flows: Mapping[tuple[str, str], Flow]
    """By subject kind and flow id."""
    kinds: Mapping[str, SubjectKind]
    tools: ToolRegistry
    services: Services
    budget: Budget
    models_for: Callable[[RunLedger], AbstractContextManager[Any]]
    """Puts the configured models, billed to this ledger, behind the skills that a node calls."""

    async def attempt(self, org_id: str, run_id: str) -> None:
        """The job: take the run and work on it until it ends, pauses, or is taken away."""
        attempt = await claim(self.db, UUID(org_id), UUID(run_id))
        if attempt is None:
            return
        work = asyncio.create_task(self._work(attempt), name=f"run-{run_id}")
        cancelled = asyncio.Event()

        def stop(other: str) -> None:
            if other == run_id:
                cancelled.set()
                work.cancel()

        with self.bus.cancels(stop):
            try:
                await work
            except asyncio.CancelledError:
                if cancelled.is_set():
                    return
                work.cancel()
                await asyncio.wait([work])
                await self._end(attempt, endings.hand_back(attempt, self.queue))
                raise

    async def _work(self, attempt: Attempt) -> None:
        try:
            notice = await self._flow(attempt)
            await endings.succeed(attempt, notice)
        except StaleAttempt:
            _log.info("attempt is over", run=str(attempt.run_id), attempt=attempt.number)
        except Unavailable as error:
            await self._end(attempt, endings.pause(attempt, self.queue, error))
        except WhenceError as error:
            await self._end(attempt, endings.fail(attempt, error))
        except Exception as error:  # noqa: BLE001 (the edge of a job: whatever it was, the run says so)
            _log.error("attempt crashed", run=str(attempt.run_id), exc_info=error)
            await self._end(attempt, endings.pause(attempt, self.queue, error))

    async def _flow(self, attempt: Attempt) -> str | None:
        flow = self.flows.get((attempt.kind, attempt.flow))
        if flow is None:
            raise WhenceError(f"No pack offers the flow '{attempt.flow}' for {attempt.kind} now.")
        saver = FencedSaver(self.checkpoints, attempt, lambda: endings.not_resumable(attempt))
        graph = flow.graph(lambda name, node: self._bind(attempt, flow, name, node))
        compiled = graph.compile(checkpointer=saver)
        fits = attempt.resumable and attempt.flow_version == flow.version
        if attempt.flow_version != flow.version:
            await endings.restarted(attempt, flow.version)
        known = await saver.exists()
        if known and not fits:
            await saver.adelete_thread(str(attempt.run_id))
        config = {**saver.config, "recursion_limit": MAX_STEPS}
        try:
            start = None if known and fits else {"subject_id": str(attempt.subject_id)}
            await compiled.ainvoke(start, config, durability="sync")
        except BudgetExceeded as error:
            return await self._partial(attempt, flow, compiled, config, error)
        return None

    async def _partial(
        self,
        attempt: Attempt,
        flow: Flow,
        compiled: CompiledStateGraph[Any],
        config: Any,
        error: BudgetExceeded,
    ) -> str:
        if flow.partial is None:
            raise error
        state = (await compiled.aget_state(config)).values
        bound = self._bind(attempt, flow, name_of(flow.partial), flow.partial, unlimited=True)
        await bound({**state, "budget": error.message})
        return f"{error.message} What was found so far is in a partial dossier."

    def _bind(
        self, attempt: Attempt, flow: Flow, name: str, node: Node, *, unlimited: bool = False
    ) -> Bound:
        context = RunContext(
            attempt=attempt,
            node=name,
            subject_kind=self.kinds[attempt.kind],
            tools=self.tools,
            services=self.services,
            recomputations=flow.recomputations,
        )
        seconds = float("inf") if unlimited else self.budget.seconds

        async def bound(state: Any) -> Update:
            async def body() -> Update:
                with self.models_for(RunLedger(attempt, name, self.budget)):
                    return await node(state, context)

            return await step(attempt, name, body, seconds)

        return bound

    async def _end(self, attempt: Attempt, ending: Awaitable[None]) -> None:
        """Write an ending; a successor or a database that is away makes it the sweeper's work."""
        try:
            await ending
        except (StaleAttempt, Unavailable) as error:
            _log.warning("could not end attempt", run=str(attempt.run_id), error=str(error))
