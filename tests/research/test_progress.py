"""Failures count by kind and by place: a run that gets further has made progress."""

from __future__ import annotations

from typing import Any

import pytest
from structlog.testing import capture_logs

from whence.kernel.errors import Unavailable
from whence.research.flow import Branch
from whence.work import transitions

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def _quick_and_quiet(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(transitions, "FIRST_PAUSE_SECONDS", 0.1)
    with capture_logs():
        yield


def failing(name: str, *faults: Exception) -> Any:
    left = list(faults)

    async def node(state: Any, run: Any) -> dict[str, Any]:
        if left:
            raise left.pop(0)
        return {}

    node.__name__ = name
    return node


def away() -> Exception:
    return Unavailable("away", retry_after=0.05)


async def test_an_outage_does_not_bring_a_crash_nearer(bench: Any) -> None:
    faults = [away(), away(), away(), ValueError(), ValueError()]
    flow = bench.flow(failing("shaky", *faults))
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.status, run.attempt) == ("success", 6)


async def test_each_place_has_its_own_tries(bench: Any) -> None:
    nodes = [failing(f"node_{n}", ValueError(), ValueError()) for n in range(3)]
    flow = bench.flow(*nodes)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.status, run.attempt, run.failures) == ("success", 7, 0)


async def test_a_poison_run_stops_with_its_error_and_its_neighbours_go_on(bench: Any) -> None:
    class Poison:
        run_id: Any = None

    async def node(state: Any, run: Any) -> dict[str, Any]:
        if run.run_id == Poison.run_id:
            raise ZeroDivisionError
        return {}

    flow = bench.flow(failing("first"), node)
    Poison.run_id = await bench.ask(flow)
    others = [await bench.ask(flow) for _ in range(4)]
    async with bench.working(flow):
        ended = [await bench.until(run_id) for run_id in others]
        poison = await bench.until(Poison.run_id)
    assert [(run.status, run.attempt) for run in ended] == [("success", 1)] * 4
    assert (poison.status, poison.attempt, poison.crashes) == ("error", 3, 3)
    assert "ZeroDivisionError" in poison.error["message"]


async def test_a_node_that_ends_well_and_fails_after_it_is_no_progress(bench: Any) -> None:
    """A branch that cannot decide fails after its node has finished, each time."""

    async def first(state: Any, run: Any) -> dict[str, Any]:
        return {}

    async def second(state: Any, run: Any) -> dict[str, Any]:
        return {}

    def undecided(state: Any) -> str:
        raise LookupError

    flow = bench.flow(first, second)
    flow = type(flow)(
        "research",
        "1",
        "notes",
        flow.state,
        (first, second),
        (),
        branches=(Branch("first", undecided, ("second",)),),
    )
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.status, run.attempt) == ("error", transitions.MAX_CRASHES)
