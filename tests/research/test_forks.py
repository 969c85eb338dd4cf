"""Flows that fork: branches work side by side, are resumed apart, and meet once."""

from __future__ import annotations

import asyncio
import operator
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, TypedDict

import pytest
from structlog.testing import capture_logs

from whence.kernel.errors import Unavailable
from whence.research import siblings
from whence.research.flow import Flow, FlowBudget
from whence.research.questions import Question
from whence.research.shape import Fork, Send
from whence.work import transitions

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """A traceback drawn with all its values takes a second."""
    with capture_logs():
        yield


class State(TypedDict, total=False):
    subject_id: str
    part: str
    read: Annotated[list[str], operator.add]


class Parts:
    """A fork over parts a, b, c and d; what each of them does, and how often it was done."""

    def __init__(self, parts: str = "abcd") -> None:
        self.parts = parts
        self.ran: Counter[str] = Counter()
        self.faults: dict[str, list[Exception]] = {}
        self.waits: dict[str, asyncio.Event] = {}
        self.pairs: asyncio.Barrier | None = None
        self.at_once = 0
        self.most_at_once = 0
        self.joined: list[list[str]] = []

    def flow(self, **more: Any) -> Flow:
        async def begin(state: Any, run: Any) -> dict[str, Any]:
            self.ran["begin"] += 1
            return {}

        async def read(state: Any, run: Any) -> dict[str, Any]:
            part = state["part"]
            assert run.branch == f"Part {part}"
            assert set(state) == {"part"}
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            try:
                await self._read(part)
            finally:
                self.at_once -= 1
            self.ran[part] += 1
            run.count("pages", 2)
            return {"read": [part]}

        async def conclude(state: Any, run: Any) -> dict[str, Any]:
            self.joined.append(sorted(state.get("read", [])))
            return {}

        async def partial(state: Any, run: Any) -> dict[str, Any]:
            self.joined.append(sorted(state.get("read", [])))
            return {}

        def each_part(state: Any) -> list[Send]:
            return [Send("read", {"part": part}, f"Part {part}") for part in self.parts]

        return Flow(
            "research",
            "1",
            "notes",
            State,
            (begin, read, conclude),
            (("read", "conclude"),),
            branches=(Fork("begin", each_part, ("read",)),),
            joins=("conclude",),
            partial=partial,
            **more,
        )

    async def _read(self, part: str) -> None:
        await asyncio.sleep(0)
        if self.pairs:
            await self.pairs.wait()
        if wait := self.waits.get(part):
            await wait.wait()
        if faults := self.faults.get(part):
            raise faults.pop(0)


async def ended(bench: Any, flow: Flow, **settings: Any) -> Any:
    run_id = await bench.ask(flow)
    async with bench.working(flow, **settings):
        return await bench.until(run_id)


async def test_each_part_is_read_beside_the_others_and_all_are_joined_once(bench: Any) -> None:
    parts = Parts()
    run = await ended(bench, parts.flow())
    assert (run.status, parts.joined) == ("success", [["a", "b", "c", "d"]])
    steps = await bench.steps(run.id)
    assert {s.branch for s in steps if s.node == "read"} == {f"Part {p}" for p in "abcd"}
    assert {s.place for s in steps if s.node == "read"} == {2}
    assert [s.detail["counts"] for s in steps if s.node == "read"] == [{"pages": 2}] * 4
    payloads = [e.payload for e in await bench.events(run.id) if e.type == "node_complete"]
    assert {p["branch"] for p in payloads if p["node"] == "read"} == {f"Part {p}" for p in "abcd"}


async def test_a_branch_that_pauses_does_not_repeat_its_finished_siblings(bench: Any) -> None:
    parts = Parts()
    parts.faults["b"] = [Unavailable("away", retry_after=0.1)] * 2
    run = await ended(bench, parts.flow())
    assert (run.status, run.attempt) == ("success", 3)
    assert parts.ran == {"begin": 1, "a": 1, "b": 1, "c": 1, "d": 1}
    assert parts.joined == [["a", "b", "c", "d"]]


@pytest.mark.parametrize(
    "fault",
    [Unavailable("away", retry_after=0.1), ZeroDivisionError()],
    ids=["outage", "crash"],
)
async def test_siblings_under_way_finish_when_a_branch_fails(
    bench: Any, fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transitions, "FIRST_PAUSE_SECONDS", 0.05)
    parts = Parts()
    parts.faults["b"] = [fault]
    parts.waits["c"] = asyncio.Event()
    flow = parts.flow()
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        async with asyncio.timeout(20):
            while not [s for s in await bench.steps(run_id) if s.status in ("paused", "error")]:
                await asyncio.sleep(0.02)
        assert (await bench.run(run_id)).status == "running"
        parts.waits.pop("c").set()
        run = await bench.until(run_id)
    assert (run.status, run.attempt) == ("success", 2)
    assert parts.ran == {"begin": 1, "a": 1, "b": 1, "c": 1, "d": 1}


async def test_a_sibling_that_takes_too_long_is_interrupted_and_done_again(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(siblings, "SIBLING_SECONDS", 0.1)
    parts = Parts()
    parts.faults["b"] = [Unavailable("away", retry_after=0.1)]
    parts.waits["c"] = asyncio.Event()
    flow = parts.flow()
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        await bench.until(run_id, "paused")
        parts.waits.pop("c")
        run = await bench.until(run_id)
    assert run.status == "success"
    assert parts.ran == {"begin": 1, "a": 1, "b": 1, "c": 1, "d": 1}
    stopped = [s for s in await bench.steps(run_id) if s.status == "interrupted"]
    assert [(s.branch, s.detail["error"]) for s in stopped] == [
        ("Part c", "Research paused, will resume automatically.")
    ]


async def test_a_question_of_one_branch_keeps_what_the_others_found(bench: Any) -> None:
    parts = Parts("ab")
    flow = parts.flow()
    real = flow.nodes[1]

    async def read(state: Any, run: Any) -> Any:
        if state["part"] == "a":
            await run.ask(Question(key="which", text="Which?"))
        return await real(state, run)

    flow = Flow(**{**vars(flow), "nodes": (flow.nodes[0], read, flow.nodes[2])})
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id, "paused")
        assert run.question["key"] == "which"
        assert parts.ran == {"begin": 1, "b": 1}
        from whence.research import answers

        platform = bench.platform
        async with platform.unit(platform.owner) as session:
            await answers.answer(session, platform.queue, platform.owner, run_id, "this")
        await bench.until(run_id)
    assert parts.ran == {"begin": 1, "a": 1, "b": 1}


async def test_no_more_nodes_work_at_once_than_the_setting_says(bench: Any) -> None:
    parts = Parts("abcdefgh")
    parts.pairs = asyncio.Barrier(2)
    run = await ended(bench, parts.flow(), node_concurrency=2)
    assert (run.status, parts.most_at_once) == ("success", 2)


async def test_a_branch_that_gets_on_gives_the_next_one_its_own_tries(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transitions, "FIRST_PAUSE_SECONDS", 0.01)
    parts = Parts()
    parts.faults = {part: [ZeroDivisionError()] * 2 for part in "abcd"}
    run = await ended(bench, parts.flow(), node_concurrency=1)
    assert (run.status, run.attempt, run.failures) == ("success", 9, 0)


async def test_a_branch_that_always_fails_is_given_up(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transitions, "FIRST_PAUSE_SECONDS", 0.01)
    parts = Parts()
    parts.faults = {"b": [ZeroDivisionError()] * 99}
    run = await ended(bench, parts.flow())
    assert (run.status, run.attempt) == ("error", transitions.MAX_CRASHES)
    assert parts.ran == {"begin": 1, "a": 1, "c": 1, "d": 1}


async def test_time_passes_once_for_all_that_work_beside_each_other(bench: Any) -> None:
    parts = Parts("abcdefgh")
    everybody = asyncio.Event()
    parts.waits = dict.fromkeys(parts.parts, everybody)
    flow = parts.flow()
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        async with asyncio.timeout(20):
            while parts.at_once < 8:
                await asyncio.sleep(0.01)
        await asyncio.sleep(1)
        everybody.set()
        run = await bench.until(run_id)
    steps = [s for s in await bench.steps(run_id) if s.node == "read"]
    longest = max((s.completed_at - s.started_at).total_seconds() for s in steps)
    assert longest >= 1
    whole = (run.completed_at - run.started_at).total_seconds()
    assert longest <= run.spent_seconds <= whole
    assert (run.open_steps, run.counted_until) == (0, None)


async def test_a_budget_that_ends_a_fork_keeps_what_its_branches_found(bench: Any) -> None:
    parts = Parts()
    parts.waits["b"] = asyncio.Event()
    flow = parts.flow(budget=FlowBudget(seconds=1.5))
    run = await ended(bench, flow)
    assert (run.status, parts.joined) == ("success", [["a", "c", "d"]])
    assert run.notice.startswith("The run has worked for 1.5 seconds.")


async def test_progress_is_shown_in_per_cent(bench: Any) -> None:
    parts = Parts()
    run = await ended(bench, parts.flow(progress={"begin": 1, "read": 8, "conclude": 1}))
    payloads = [e.payload for e in await bench.events(run.id) if e.type == "node_complete"]
    assert [p["progress"] for p in payloads] == [10, 30, 50, 70, 90, 99]
    assert run.progress == 100


async def test_a_flow_that_declares_no_progress_shows_none(bench: Any) -> None:
    run = await ended(bench, Parts().flow())
    assert run.progress is None
