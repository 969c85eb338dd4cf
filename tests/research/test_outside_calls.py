"""An outside system is asked three times, later and later; then the run waits."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from pydantic import BaseModel

from whence.kernel import retry
from whence.kernel.errors import Unavailable
from whence.kernel.fetch import Fetcher, Limits, Reach
from whence.kernel.retry import RetryPolicy
from whence.tenancy.principal import Scope
from whence.tools.registry import ToolRegistry
from whence.tools.tool import ToolContext, tool

pytestmark = pytest.mark.anyio
QUICK = RetryPolicy(first_wait=0.2)
WAITS = Limits(retry=QUICK)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "DEFAULT", QUICK)


class Nothing(BaseModel):
    pass


def asking(outside: Any) -> Any:
    async def ask() -> None:
        async with Fetcher(Reach.only(outside.base, allow_private=True), limits=WAITS) as fetcher:
            await fetcher.get_json(f"{outside.base}/prices")

    return ask


def registry(ask: Any) -> ToolRegistry:
    @tool(Scope.READ)
    async def look_up(arguments: Nothing, context: ToolContext) -> Nothing:
        """Look something up outside."""
        await ask()
        return arguments

    return ToolRegistry([look_up])


async def test_a_page_is_fetched_three_times_with_growing_waits_then_the_run_pauses(
    bench: Any, outside: Any
) -> None:
    ask = asking(outside)

    async def node(state: Any, run: Any) -> dict[str, Any]:
        await ask()
        return {}

    run_id = await bench.ask(flow := bench.flow(node))
    async with bench.working(flow):
        run = await bench.until(run_id, "paused", "success", "error")
    assert (run.status, run.notice) == ("paused", "Research paused, will resume automatically")
    assert run.resume_at is not None
    assert run.outages == 1
    first, second = (later - earlier for earlier, later in pairwise(outside.asked_at))
    assert first >= 0.1
    assert second >= 0.2


async def test_the_run_goes_on_by_itself_once_the_page_is_there(bench: Any, outside: Any) -> None:
    outside.answers = [503, 503, 503, 503, {"price": 3}]
    ask = asking(outside)

    async def node(state: Any, run: Any) -> dict[str, Any]:
        await ask()
        return {}

    run_id = await bench.ask(flow := bench.flow(node))
    async with bench.working(flow):
        run = await bench.until(run_id, "success", "error")
    assert (run.status, run.attempt, run.outages) == ("success", 2, 0)
    assert len(outside.asked_at) == 5


async def test_a_tool_that_fetches_is_not_tried_three_times_three_times(
    bench: Any, outside: Any
) -> None:
    async def node(state: Any, run: Any) -> dict[str, Any]:
        await run.call("look_up", {})
        return {}

    run_id = await bench.ask(flow := bench.flow(node))
    tooled = replace(bench, platform=replace(bench.platform, tools=registry(asking(outside))))
    async with tooled.working(flow):
        run = await bench.until(run_id, "paused", "success", "error")
    assert (run.status, len(outside.asked_at)) == ("paused", 3)


@pytest.mark.parametrize("by", ["tool", "client"])
async def test_what_makes_no_tries_of_its_own_gets_three(bench: Any, by: str) -> None:
    tries: list[int] = []

    async def away() -> None:
        tries.append(1)
        raise Unavailable("The scales do not answer.")

    async def node(state: Any, run: Any) -> dict[str, Any]:
        await (run.call("look_up", {}) if by == "tool" else run.outside(away))
        return {}

    run_id = await bench.ask(flow := bench.flow(node))
    tooled = replace(bench, platform=replace(bench.platform, tools=registry(away)))
    async with tooled.working(flow):
        run = await bench.until(run_id, "paused", "success", "error")
    assert (run.status, len(tries)) == ("paused", 3)
    assert run.error["message"] == "The scales do not answer."


async def test_a_system_that_names_a_long_wait_is_left_alone_until_then(bench: Any) -> None:
    tries: list[int] = []

    async def away() -> None:
        tries.append(1)
        raise Unavailable("Closed until noon.", retry_after=600)

    async def node(state: Any, run: Any) -> dict[str, Any]:
        await run.outside(away)
        return {}

    run_id = await bench.ask(flow := bench.flow(node))
    async with bench.working(flow):
        run = await bench.until(run_id, "paused", "success", "error")
    assert (run.status, len(tries)) == ("paused", 1)


async def test_what_answers_a_moment_later_pauses_nothing(bench: Any) -> None:
    faults = [Unavailable("away"), Unavailable("away")]

    async def shaky() -> str:
        if faults:
            raise faults.pop()
        return "there"

    async def node(state: Any, run: Any) -> dict[str, Any]:
        return {"trail": [await run.outside(shaky)]}

    run_id = await bench.ask(flow := bench.flow(node))
    async with bench.working(flow):
        run = await bench.until(run_id, "paused", "success", "error")
    assert (run.status, run.attempt) == ("success", 1)
