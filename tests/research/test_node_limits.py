"""A node declares how long it may take and how often it is tried."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from whence.kernel.errors import Unavailable
from whence.research.flow import node

pytestmark = pytest.mark.anyio


async def ended(bench: Any, flow: Any) -> Any:
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        return await bench.until(run_id)


async def test_a_node_is_tried_as_often_as_it_declares(bench: Any) -> None:
    tries: list[int] = []

    @node(attempts=3)
    async def shaky(state: Any, run: Any) -> dict[str, Any]:
        tries.append(run.attempt.number)
        if len(tries) < 3:
            raise ZeroDivisionError
        return {}

    run = await ended(bench, bench.flow(shaky))
    assert (run.status, run.attempt, tries) == ("success", 1, [1, 1, 1])
    [step] = await bench.steps(run.id)
    assert step.detail["attempts"] == 3


async def test_a_node_has_its_own_time_and_is_tried_again_after_it(bench: Any) -> None:
    tries: list[int] = []

    @node(seconds=0.1, attempts=2)
    async def slow(state: Any, run: Any) -> dict[str, Any]:
        tries.append(len(tries))
        await asyncio.sleep(60)
        return {}

    run = await ended(bench, bench.flow(slow))
    assert (run.status, len(tries)) == ("error", 2)
    assert run.error == {
        "type": "NodeTookTooLong",
        "message": "slow took longer than its 0.1 seconds.",
    }


async def test_an_outage_is_left_to_the_run_and_not_tried_again_by_the_node(bench: Any) -> None:
    tries: list[int] = []

    @node(attempts=5)
    async def away(state: Any, run: Any) -> dict[str, Any]:
        tries.append(run.attempt.number)
        if len(tries) == 1:
            raise Unavailable("away", retry_after=0.05)
        return {}

    run = await ended(bench, bench.flow(away))
    assert (run.status, tries) == ("success", [1, 2])
