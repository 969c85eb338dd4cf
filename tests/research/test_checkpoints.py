"""A run continues from its checkpoint; without checkpoints it continues too, and says so."""

from __future__ import annotations

import time
from typing import Any

import psycopg
import pytest

from whence.kernel.errors import Unavailable

pytestmark = pytest.mark.anyio


class Nodes:
    """Three nodes; the last one fails `faults` times."""

    def __init__(self, faults: int = 0) -> None:
        self.faults = faults
        self.ran: list[str] = []
        self.at_second: list[Any] = []

    def flow(self, bench: Any, version: str = "1", **more: Any) -> Any:
        async def one(state: Any, run: Any) -> dict[str, Any]:
            self.ran.append("one")
            return {"trail": ["one"]}

        async def two(state: Any, run: Any) -> dict[str, Any]:
            self.ran.append("two")
            for act in self.at_second:
                act()
            return {"trail": [*state["trail"], "two"]}

        async def three(state: Any, run: Any) -> dict[str, Any]:
            self.ran.append("three")
            assert state["trail"] == ["one", "two"]
            if self.faults:
                self.faults -= 1
                raise Unavailable("away", retry_after=0.1)
            return {}

        return bench.flow(one, two, three, version=version, **more)


def _break(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute("REVOKE ALL ON ALL TABLES IN SCHEMA checkpoints FROM whence_app")


def _mend(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute("GRANT ALL ON ALL TABLES IN SCHEMA checkpoints TO whence_app")


async def test_a_run_whose_checkpoints_are_lost_goes_on_and_says_so(
    bench: Any, database_url: str
) -> None:
    nodes = Nodes()
    nodes.at_second.append(lambda: _break(database_url))
    flow = nodes.flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.status, run.resumable) == ("success", False)
    assert nodes.ran == ["one", "two", "three"]
    notices = [e.payload["notice"] for e in await bench.events(run_id) if e.type == "job_notice"]
    assert notices == [
        "Progress can no longer be saved; if the worker stops, this run starts over."
    ]


async def test_a_run_that_lost_its_checkpoints_starts_anew_after_a_pause(
    bench: Any, database_url: str
) -> None:
    nodes = Nodes(faults=2)
    nodes.at_second = [lambda: _break(database_url)]
    flow = nodes.flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        await bench.until(run_id, "paused")
        nodes.at_second.clear()
        _mend(database_url)
        run = await bench.until(run_id)
    assert (run.status, run.attempt, run.resumable) == ("success", 3, True)
    # The second attempt began again, with checkpoints again: the third went on from the last node.
    assert nodes.ran == ["one", "two", "three", "one", "two", "three", "three"]


async def test_checkpoints_that_cannot_even_be_read_do_not_stop_a_run(
    bench: Any, database_url: str
) -> None:
    nodes = Nodes()
    flow = nodes.flow(bench)
    run_id = await bench.ask(flow)
    _break(database_url)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.status, run.attempt, run.resumable) == ("success", 1, False)
    assert nodes.ran == ["one", "two", "three"]


async def test_a_flow_that_changed_meanwhile_starts_anew_and_says_so(bench: Any) -> None:
    nodes = Nodes(faults=1_000)  # as often as the old worker tries again before it stops
    old, new = nodes.flow(bench), nodes.flow(bench, version="2")
    run_id = await bench.ask(old)
    async with bench.working(old):
        await bench.until(run_id, "paused")
    nodes.faults = 0
    async with bench.working(new):
        run = await bench.until(run_id)
    assert (run.status, run.flow_version) == ("success", "2")
    assert [name for name in nodes.ran if name != "three"] == ["one", "two", "one", "two"]
    assert nodes.ran[-3:] == ["one", "two", "three"]
    notices = [e.payload["notice"] for e in await bench.events(run_id) if e.type == "job_notice"]
    [notice] = notices
    assert notice == (
        "The research flow is now version 2; this run starts over with it: "
        "version 2 does not continue from version 1."
    )


async def test_a_budget_ends_a_run_without_checkpoints_with_what_it_found(
    bench: Any, database_url: str
) -> None:
    saved: list[Any] = []

    async def persist_partial(state: Any, run: Any) -> dict[str, Any]:
        saved.append(state["trail"])
        return {}

    nodes = Nodes()

    def slow() -> None:
        time.sleep(0.3)

    nodes.at_second = [lambda: _break(database_url), slow]
    flow = nodes.flow(bench, partial=persist_partial)
    run_id = await bench.ask(flow)
    async with bench.working(flow, budget_seconds=0.2):
        run = await bench.until(run_id)
    assert (run.status, saved) == ("success", [["one", "two"]])
