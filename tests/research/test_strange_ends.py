"""Ends of a node that nobody asked for: the run is neither left behind nor continues without it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from whence.work import transitions

pytestmark = pytest.mark.anyio


async def gather(state: Any, run: Any) -> dict[str, Any]:
    return {"trail": ["gathered"]}


async def conclude(state: Any, run: Any) -> dict[str, Any]:
    return {}


class Shared:
    """Work that several share, as a cache of fetched pages does; its first owner gives it up."""

    def __init__(self) -> None:
        self.calls = 0

    async def answer(self) -> str:
        self.calls += 1
        work = asyncio.ensure_future(asyncio.sleep(600 if self.calls == 1 else 0, "an answer"))
        if self.calls == 1:
            asyncio.get_running_loop().call_soon(work.cancel)
        return await work


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Shared:
    monkeypatch.setattr(transitions, "FIRST_PAUSE_SECONDS", 0.05)
    return Shared()


async def test_a_node_whose_own_work_was_cancelled_is_tried_again(
    bench: Any, shared: Shared
) -> None:
    async def ask(state: Any, run: Any) -> dict[str, Any]:
        return {"trail": [await shared.answer()]}

    flow = bench.flow(gather, ask, conclude)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id, seconds=30)
    assert (run.status, run.attempt, shared.calls) == ("success", 2, 2)
    steps = [(step.node, step.status) for step in await bench.steps(run_id)]
    assert steps == [
        ("gather", "success"),
        ("ask", "error"),
        ("ask", "success"),
        ("conclude", "success"),
    ]


async def test_a_node_beside_others_is_not_left_out_because_its_work_was_cancelled(
    bench: Any, shared: Shared
) -> None:
    async def ask(state: Any, run: Any) -> dict[str, Any]:
        await shared.answer()
        return {}

    async def beside(state: Any, run: Any) -> dict[str, Any]:
        return {}

    fork = (("gather", "ask"), ("gather", "beside"), ("ask", "conclude"), ("beside", "conclude"))
    flow = bench.flow(gather)
    flow = type(flow)("research", "1", "notes", flow.state, (gather, ask, beside, conclude), fork)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id, seconds=30)
    ended = [step.node for step in await bench.steps(run_id) if step.status == "success"]
    assert (run.status, shared.calls, "ask" in ended) == ("success", 2, True)


async def test_a_flow_that_never_ends_is_given_up(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transitions, "FIRST_PAUSE_SECONDS", 0.05)
    flow = bench.flow(gather, conclude)
    flow = type(flow)(
        "research",
        "1",
        "notes",
        flow.state,
        (gather, conclude),
        (("gather", "conclude"), ("conclude", "gather")),
    )
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id, seconds=30)
    assert (run.status, run.attempt) == ("error", 1)
    assert "100" in run.error["message"]
