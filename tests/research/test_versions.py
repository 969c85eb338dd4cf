"""A new version of a flow meets paused runs: they continue where their checkpoint fits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypedDict

import psycopg
import pytest
from sqlalchemy import text

from whence.kernel.errors import Unavailable
from whence.research.flow import Flow
from whence.research.versions import Flows

pytestmark = pytest.mark.anyio


class State(TypedDict, total=False):
    subject_id: str
    title: str
    parts: list[str]
    words: int
    pages: int


class OtherState(TypedDict, total=False):
    subject_id: str
    title: list[str]
    parts: list[str]
    words: int
    pages: int


async def saved(run: Any, channel: str) -> bool:
    writes = text("SELECT FROM checkpoints.checkpoint_writes WHERE channel = :channel")
    async with run.unit() as session:
        return bool((await session.execute(writes, {"channel": channel})).all())


class Nodes:
    """`read`, then `count` and `weigh` beside each other, then `write`; some fail once."""

    def __init__(self, failing: str = "count") -> None:
        self.ran: list[str] = []
        self.fails = {failing}
        self.beside: str | None = None
        """What a node that fails waits for: that the one beside it has saved this."""

    def node(self, name: str, update: dict[str, Any]) -> Callable[..., Any]:
        async def node(state: Any, run: Any) -> dict[str, Any]:
            self.ran.append(name)
            if name in self.fails:
                while self.beside and not await saved(run, self.beside):
                    await asyncio.sleep(0.02)
                self.fails.remove(name)
                raise Unavailable("away", retry_after=600)
            return update

        node.__name__ = name
        return node

    def line(self, version: str, *, last: str = "write", state: type = State) -> Flow:
        names = {"read": {"title": "a", "parts": ["b"]}, "count": {"words": 4}, last: {}}
        nodes = tuple(self.node(name, update) for name, update in names.items())
        edges = (("read", "count"), ("count", last))
        return Flow("research", version, "notes", state, nodes, edges)

    def fork(self, version: str, *, side: str = "weigh", last: str = "write") -> Flow:
        self.beside = "pages"
        names = {
            "read": {"title": "a", "parts": ["b"]},
            side: {"pages": 1},
            "count": {"words": 4},
            last: {},
        }
        nodes = tuple(self.node(name, update) for name, update in names.items())
        edges = (("read", side), ("read", "count"), (side, last), ("count", last))
        return Flow("research", version, "notes", State, nodes, edges)


async def deployed(bench: Any, old: Flow, new: Flow | Flows) -> tuple[Any, list[str]]:
    """The run that `old` paused, after a worker with `new` ended it; and what it said."""
    run_id = await bench.ask(old)
    async with bench.working(old):
        await bench.until(run_id, "paused")
    await bench.resume(run_id)
    async with bench.working(new):
        run = await bench.until(run_id)
    events = await bench.events(run_id)
    return run, [event.payload["notice"] for event in events if event.type == "job_notice"]


async def test_a_run_goes_on_with_a_version_that_its_checkpoint_fits(bench: Any) -> None:
    nodes = Nodes()
    run, messages = await deployed(bench, nodes.line("1.0"), nodes.line("1.1"))
    assert (run.status, run.flow_version) == ("success", "1.1")
    assert nodes.ran == ["read", "count", "count", "write"]
    assert messages == ["The research flow is now version 1.1; this run continues with it."]


async def test_a_step_that_comes_later_may_be_another_one(bench: Any) -> None:
    nodes = Nodes()
    run, messages = await deployed(bench, nodes.line("1.0"), nodes.line("1.1", last="publish"))
    assert nodes.ran == ["read", "count", "count", "publish"]
    assert run.status == "success"
    assert "continues" in messages[0]


async def test_a_version_with_another_major_part_starts_anew(bench: Any) -> None:
    nodes = Nodes()
    run, messages = await deployed(bench, nodes.line("1.9"), nodes.line("2.0"))
    assert (run.status, run.flow_version) == ("success", "2.0")
    assert nodes.ran == ["read", "count", "read", "count", "write"]
    [notice] = messages
    assert notice == (
        "The research flow is now version 2.0; this run starts over with it: "
        "version 2.0 does not continue from version 1.9."
    )


async def test_a_version_without_the_step_that_was_next_starts_anew(bench: Any) -> None:
    nodes = Nodes(failing="write")
    run, messages = await deployed(bench, nodes.line("1.0"), nodes.line("1.1", last="publish"))
    assert run.status == "success"
    assert nodes.ran == ["read", "count", "write", "read", "count", "publish"]
    assert messages[0].endswith("starts over with it: it has no step write, which was due next.")


async def test_a_version_that_expects_another_state_starts_anew(bench: Any) -> None:
    nodes = Nodes()
    run, messages = await deployed(bench, nodes.line("1.0"), nodes.line("1.1", state=OtherState))
    assert run.status == "success"
    assert nodes.ran == ["read", "count", "read", "count", "write"]
    assert "the saved value of title does not fit (Input should be a valid array)" in messages[0]


async def test_a_run_paused_between_branches_keeps_the_branch_that_is_done(bench: Any) -> None:
    nodes = Nodes()
    run, messages = await deployed(bench, nodes.fork("1.0"), nodes.fork("1.1"))
    assert run.status == "success"
    assert sorted(nodes.ran[1:3]) == ["count", "weigh"]
    assert nodes.ran[3:] == ["count", "write"]
    assert "continues" in messages[0]


@pytest.mark.parametrize(
    ("changed", "missing"), [({"side": "measure"}, "weigh"), ({"last": "publish"}, "write")]
)
async def test_a_branch_that_is_done_must_be_known_with_what_follows_it(
    bench: Any, changed: dict[str, str], missing: str
) -> None:
    """Its result is known by its name; without that it would be lost silently."""
    nodes = Nodes()
    run, messages = await deployed(bench, nodes.fork("1.0"), nodes.fork("1.1", **changed))
    assert run.status == "success"
    assert nodes.ran[3] == "read"
    assert f"it has no step {missing}, which was due next" in messages[0]


async def test_a_version_that_is_still_offered_ends_the_runs_that_it_began(bench: Any) -> None:
    nodes = Nodes()
    old = nodes.line("1.0")
    run, messages = await deployed(bench, old, Flows([nodes.line("2.0")], [old]))
    assert (run.status, run.flow_version) == ("success", "1.0")
    assert nodes.ran == ["read", "count", "count", "write"]
    assert messages == []


async def test_a_run_that_has_not_begun_takes_the_new_version_without_a_word(bench: Any) -> None:
    nodes = Nodes(failing="")
    run_id = await bench.ask(nodes.line("1.0"))
    async with bench.working(nodes.line("2.0")):
        run = await bench.until(run_id)
    assert (run.status, run.flow_version) == ("success", "2.0")
    assert [e.type for e in await bench.events(run_id)].count("job_notice") == 0


@pytest.mark.parametrize(
    "damage",
    [
        r"UPDATE checkpoints.checkpoint_blobs SET blob = '\xc1ff00'::bytea WHERE type <> 'empty'",
        "UPDATE checkpoints.checkpoint_blobs SET type = 'nothing we know' WHERE type <> 'empty'",
        "UPDATE checkpoints.checkpoints SET checkpoint = '{\"v\": 4}'",
    ],
    ids=["bytes", "type", "document"],
)
async def test_a_run_whose_checkpoint_cannot_be_read_starts_anew_and_says_so(
    bench: Any, database_url: str, damage: str
) -> None:
    nodes = Nodes()
    flow = nodes.line("1.0")
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        await bench.until(run_id, "paused")
    with psycopg.connect(database_url) as connection:
        assert connection.execute(damage.encode()).rowcount > 0
    await bench.resume(run_id)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert run.status == "success"
    assert nodes.ran == ["read", "count", "read", "count", "write"]
    messages = [e.payload["notice"] for e in await bench.events(run_id) if e.type == "job_notice"]
    assert messages == ["This run starts over: its saved progress cannot be read."]
