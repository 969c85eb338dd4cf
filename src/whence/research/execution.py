"""Run the flow of one attempt: from its checkpoint through its nodes, each one a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config
from langgraph.errors import GraphRecursionError
from langgraph.graph.state import CompiledStateGraph
from pydantic_core import to_jsonable_python

from whence.db.database import shadowed
from whence.kernel.errors import BudgetExceeded, WhenceError
from whence.kernel.services import Services
from whence.records.kind import SubjectKind
from whence.research import resuming, run_steps
from whence.research.attempt import Attempt
from whence.research.checkpoints import FencedSaver
from whence.research.context import RunContext
from whence.research.flow import Bound, Flow, Node, NodeLimits, Update, limits_of, name_of
from whence.research.graph import branch_of, build
from whence.research.run_steps import EndedEarly, undone
from whence.research.run_type import RunType
from whence.research.siblings import Siblings
from whence.research.steps import NodeTookTooLong, ProgressMeter, Turn, step
from whence.tools.registry import ToolRegistry
from whence.work.budget import Budget
from whence.work.ledger import Ledger

Compiled = CompiledStateGraph[Any, Any, Any, Any]
MAX_STEPS = 100
"""Most consecutive nodes in one attempt, against a flow that never ends."""
PARTIAL_SECONDS = 60.0
"""Time for writing a partial dossier after the budget is used up."""


class NeverEnds(WhenceError):
    """The research flow did not end and was stopped; limit its loops in the pack."""


@dataclass(frozen=True)
class Workplace:
    """The dependencies of nodes, shared by all runs."""

    kinds: Mapping[str, SubjectKind]
    tools: ToolRegistry
    services: Services
    models_for: Callable[[Ledger], AbstractContextManager[Any]]
    """Gives the skills that a node calls the configured models, billed to this ledger."""
    graphs: dict[int, tuple[Flow, Compiled]] = field(default_factory=dict[int, Any])
    """Each flow's graph, by the identity of the flow.

    Compiling takes as long as a few nodes do, so that the runs of a process share it.
    """

    def graph(self, flow: Flow) -> Compiled:
        """The flow's graph, for the run at hand; it still needs a checkpointer."""
        if id(flow) not in self.graphs:
            self.graphs[id(flow)] = flow, build(flow, _bound).compile()
        return copy(self.graphs[id(flow)][1])


@dataclass
class Execution:
    """One attempt's execution of its flow."""

    attempt: Attempt
    flow: Flow
    place: Workplace
    budget: Budget
    saver: FencedSaver
    siblings: Siblings
    meter: ProgressMeter = field(init=False)
    run_type: RunType = field(init=False)
    seen: dict[str, Any] = field(default_factory=dict[str, Any])
    """The state that nodes have seen, for a run that ends early without checkpoints."""

    async def run(self) -> str | None:
        """Run the flow to its end; returns a notice if the budget ended it early."""
        attempt, flow = self.attempt, self.flow
        self.seen["subject_id"] = str(attempt.subject_id)
        # A version that no longer knows the type runs all nodes.
        self.run_type = flow.known_type(attempt.run_type) or flow.types[0]
        self.meter = await self._meter()
        _current.set(self)
        compiled = self.place.graph(flow)
        compiled.checkpointer = self.saver
        resumes = await resuming.can_resume(attempt, flow, self.saver)
        config = RunnableConfig(**self.saver.config, recursion_limit=MAX_STEPS)
        try:
            await compiled.ainvoke(None if resumes else dict(self.seen), config, durability="sync")
        except GraphRecursionError as error:
            # Not a crash: each further attempt would make progress and so continue forever.
            raise NeverEnds(f"{NeverEnds.__doc__} It took {MAX_STEPS} steps.") from error
        except Exception as error:  # noqa: BLE001 (the decisive error is raised again)
            decisive = self.siblings.decisive(error)
            if isinstance(decisive, BudgetExceeded):
                return await self._partial(compiled, decisive)
            raise decisive from (None if decisive is error else error)
        return None

    async def _meter(self) -> ProgressMeter:
        if not self.flow.progress or self.attempt.number == 1:
            return ProgressMeter(self.flow.progress)
        async with self.attempt.unit() as session:
            return ProgressMeter(
                self.flow.progress, await run_steps.steps(session, self.attempt.run_id)
            )

    async def _partial(self, compiled: Compiled, error: BudgetExceeded) -> str:
        partial, attempt = self.flow.partial, self.attempt
        if partial is None:
            raise error
        if not self.saver.is_lost and not self.flow.shape.is_sequential:
            self.seen |= (await compiled.aget_state(self.saver.config)).values
        async with attempt.fenced() as session:
            await run_steps.interrupt_steps(session, attempt.run_id, error.message)
            steps = await run_steps.steps(session, attempt.run_id)
        early = EndedEarly(error.message, undone(self.flow.shape, steps))
        turn = Turn(
            name_of(partial), limits=NodeLimits(PARTIAL_SECONDS), on_ended=self.saver.follows
        )
        try:
            await self._step(partial, turn, {**self.seen, "budget": error.message}, early)
        except NodeTookTooLong:
            raise error from None
        return f"{error.message} The results so far are in a partial dossier."

    async def node(self, name: str, node: Node, given: Any) -> Update:
        """The turn of a node; `given` is the state, or what a branch was sent."""
        state, branch = branch_of(given)
        if branch is None:
            self.seen.update(state)
        place, task = _task()
        turn = Turn(
            name,
            place,
            branch,
            budget_seconds=self.budget.seconds,
            limits=limits_of(node),
            is_skipped=name in self.run_type.skips,
            on_ended=self.saver.follows,
            percent=lambda is_done: self._percent(turn, is_done=is_done),
        )
        self.meter.plan(name, place, branch)
        async with self.siblings.turn(task):
            return await self._step(node, turn, state)

    def _percent(self, turn: Turn, *, is_done: bool) -> int | None:
        if is_done:
            self.meter.finish(turn.node, turn.place, turn.branch)
        return self.meter.percent

    async def _step(
        self, node: Node, turn: Turn, state: Any, early: EndedEarly | None = None
    ) -> Update:
        """Run a node's turn; after an early end (`early`) without models."""
        attempt = self.attempt
        context = RunContext(
            attempt=attempt,
            node=turn.node,
            subject_kind=self.place.kinds[attempt.kind],
            tools=self.place.tools,
            services=self.place.services,
            recomputations=self.flow.recomputations,
            branch=turn.branch,
            run_type=self.run_type,
            counts=turn.counts,
            ended_early=early,
        )
        ledger = Ledger(attempt, turn.node, self.budget)
        has_models = early is None and self.budget.calls > 0

        async def body() -> Update:
            if turn.is_skipped:
                return {}
            models = self.place.models_for(ledger) if has_models else nullcontext()
            with shadowed(attempt.is_shadow), models:
                # Plain values, so that the next node sees the same as a resumed run would.
                return to_jsonable_python(await node(state, context))

        return await step(attempt, turn, body)


_current: ContextVar[Execution] = ContextVar("execution")
"""The run that the nodes of a shared graph work for."""


def _bound(name: str, node: Node) -> Bound:
    """The node as LangGraph calls it, in whichever run."""

    async def bound(given: Any) -> Update:
        return await _current.get().node(name, node, given)

    return bound


def _task() -> tuple[int, str]:
    """The current node's place in the flow, and LangGraph's id of its task."""
    metadata = ensure_config().get("metadata", {})
    place = metadata.get("langgraph_step", 0)
    task = str(metadata.get("langgraph_checkpoint_ns", "")).rpartition(":")[2]
    return place if isinstance(place, int) else 0, task
