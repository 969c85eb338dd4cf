"""Branches are chosen, meet again, and a choice that cannot be is told in words."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypedDict

import pytest

from whence.research.flow import Flow
from whence.research.graph import BadChoice
from whence.research.shape import Branch, Fork, Send

pytestmark = pytest.mark.anyio


class State(TypedDict, total=False):
    subject_id: str


async def ended(bench: Any, flow: Any) -> Any:
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        return await bench.until(run_id)


async def test_branches_of_different_length_meet_once(bench: Any) -> None:
    ran: list[str] = []

    def named(name: str) -> Any:
        async def one(state: Any, run: Any) -> dict[str, Any]:
            ran.append(name)
            return {}

        one.__name__ = name
        return one

    edges = (("a", "b"), ("a", "c"), ("b", "end"), ("c", "d"), ("d", "end"))
    flow = Flow(
        "research", "1", "notes", State, tuple(map(named, ("a", "b", "c", "d", "end"))), edges
    )
    run = await ended(bench, flow)
    assert run.status == "success"
    assert Counter(ran) == dict.fromkeys(("a", "b", "c", "d", "end"), 1)
    assert ran[-1] == "end"


async def test_a_run_begins_at_several_nodes_and_branches_to_several(bench: Any) -> None:
    ran: list[str] = []

    def named(name: str) -> Any:
        async def one(state: Any, run: Any) -> dict[str, Any]:
            ran.append(name)
            return {}

        one.__name__ = name
        return one

    flow = Flow(
        "research",
        "1",
        "notes",
        State,
        tuple(map(named, ("left", "right", "one", "two", "three", "end"))),
        (("one", "end"), ("two", "end"), ("three", "end"), ("right", "end")),
        branches=(Fork("left", lambda state: ["one", "three"], ("one", "two", "three")),),
        starts=("left", "right"),
    )
    run = await ended(bench, flow)
    assert run.status == "success"
    assert Counter(ran) == dict.fromkeys(("left", "right", "one", "three", "end"), 1)


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ([], "a Fork chose nothing"),
        (["elsewhere"], "which is not in its `to`"),
        ([Send("read", {}, "x"), Send("read", {}, "x")], "two branches are called 'x'"),
    ],
)
async def test_a_fork_that_chooses_badly_ends_the_run_in_words(
    bench: Any, chosen: Any, words: str
) -> None:
    async def begin(state: Any, run: Any) -> dict[str, Any]:
        return {}

    async def read(state: Any, run: Any) -> dict[str, Any]:
        return {}

    fork = Fork("begin", lambda state: chosen, ("read",))
    flow = Flow("research", "1", "notes", State, (begin, read), (), branches=(fork,))
    run = await ended(bench, flow)
    assert (run.status, run.error["type"]) == ("error", BadChoice.__name__)
    assert words in run.error["message"]


async def test_a_branch_that_chooses_several_is_told_to_be_a_fork(bench: Any) -> None:
    async def begin(state: Any, run: Any) -> dict[str, Any]:
        return {}

    async def read(state: Any, run: Any) -> dict[str, Any]:
        return {}

    several: Any = lambda state: ["read"]  # noqa: E731
    branch = Branch("begin", several, ("read",))
    flow = Flow("research", "1", "notes", State, (begin, read), (), branches=(branch,))
    run = await ended(bench, flow)
    assert "use a Fork" in run.error["message"]
