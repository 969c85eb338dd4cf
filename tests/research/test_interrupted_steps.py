"""Whoever watches is told of every step's end, however it was interrupted."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from whence.research.attempt import claim
from whence.research.flow import FlowBudget

pytestmark = pytest.mark.anyio


class Hanging:
    """A node that hangs, and how to know that it has begun."""

    def __init__(self) -> None:
        self.began = asyncio.Event()

    async def hang(self, state: Any, run: Any) -> dict[str, Any]:
        self.began.set()
        await asyncio.sleep(600)
        return {}

    def flow(self, bench: Any, **more: Any) -> Any:
        async def hang(state: Any, run: Any) -> dict[str, Any]:
            return await self.hang(state, run)

        return bench.flow(hang, **more)


async def _ends(bench: Any, run_id: Any) -> list[tuple[str, str]]:
    """How the steps ended, as whoever watches is told; each that began is told once."""
    events = [e for e in await bench.events(run_id) if e.type.startswith("node_")]
    began = [e.payload["step"] for e in events if e.type == "node_started"]
    ended = [e.payload for e in events if e.type == "node_complete"]
    assert sorted(p["step"] for p in ended) == began
    steps = {step.ordinal: step for step in await bench.steps(run_id)}
    assert all(steps[p["step"]].detail["error"] == p["error"] for p in ended)
    return [(p["status"], p["error"]) for p in ended]


async def test_by_a_cancellation(bench: Any) -> None:
    hanging = Hanging()
    flow = hanging.flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        await asyncio.wait_for(hanging.began.wait(), 20)
        await bench.cancel(run_id)
    assert await _ends(bench, run_id) == [("interrupted", "The job was cancelled.")]
    types = [event.type for event in await bench.events(run_id)]
    assert types[-2:] == ["node_complete", "job_complete"]


async def test_by_the_death_of_its_worker(bench: Any) -> None:
    hanging = Hanging()
    platform = bench.platform
    run_id = await bench.ask(hanging.flow(bench))
    async with bench.working(hanging.flow(bench)):
        await asyncio.wait_for(hanging.began.wait(), 20)
        taken = await claim(platform.db, platform.owner.org_id, run_id, platform.kinds)
        assert taken is not None
        assert await _ends(bench, run_id) == [("interrupted", "The worker died.")]
        await bench.cancel(run_id)


async def test_by_a_budget(bench: Any) -> None:
    async def partial(state: Any, run: Any) -> dict[str, Any]:
        return {}

    hanging = Hanging()
    flow = hanging.flow(bench, partial=partial, budget=FlowBudget(seconds=0.5))
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        await bench.until(run_id)
    assert await _ends(bench, run_id) == [
        ("error", "The run has worked for 0.5 seconds."),
        ("success", None),
    ]
