"""Where branches meet, a node runs once: which nodes wait, and how."""

from __future__ import annotations

from typing import Any

import pytest

from whence.research.flow import Flow
from whence.research.shape import Branch, Fork, Joins, Shape, check, joins_of

UNEVEN = (("a", "b"), ("a", "c"), ("b", "end"), ("c", "d"), ("d", "end"))


def first(state: object) -> str:
    return "b"


def shape(edges: tuple[tuple[str, str], ...], *branches: Branch | Fork, joins: str = "") -> Shape:
    names = dict.fromkeys(["a", *(name for edge in edges for name in edge)])
    names |= dict.fromkeys(name for branch in branches for name in branch.to)
    return Shape(tuple(names), ("a",), edges, branches, tuple(joins.split()))


def test_branches_of_different_length_meet_at_a_barrier() -> None:
    assert joins_of(shape(UNEVEN)) == Joins({"end": ("b", "d")}, frozenset())


def test_branches_of_one_length_need_none() -> None:
    even = (("a", "b"), ("a", "c"), ("b", "end"), ("c", "end"))
    assert joins_of(shape(even)) == Joins({}, frozenset())


def test_a_line_with_a_loop_has_no_join() -> None:
    edges = (("a", "b"), ("b", "c"), ("again", "b"))
    assert joins_of(shape(edges, Branch("c", first, ("again", "end")))) == Joins({}, frozenset())


def test_what_a_fork_chooses_is_waited_for_without_knowing_it() -> None:
    edges = (("b", "end"), ("c", "d"), ("d", "end"))
    assert joins_of(shape(edges, Fork("a", list, ("b", "c")))) == Joins({}, frozenset({"end"}))


def test_a_declared_join_waits_although_its_branches_are_even() -> None:
    edges = (("b", "end"),)
    fork = Fork("a", list, ("b",))
    assert joins_of(shape(edges, fork, joins="end")).deferred == {"end"}


def test_several_first_nodes_are_branches_too() -> None:
    uneven = Shape(("a", "b", "c"), ("a", "b"), (("a", "c"), ("b", "x"), ("x", "c")))
    assert joins_of(uneven).barriers == {"c": ("a", "x")}


def test_a_join_after_a_join_waits_for_it() -> None:
    edges = (*UNEVEN, ("a", "side"), ("side", "last"), ("end", "last"))
    assert joins_of(shape(edges)).barriers == {"end": ("b", "d"), "last": ("side", "end")}


async def _node(state: object, run: object) -> dict[str, object]:
    return {}


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"edges": (("_node", "measurex"),)}, "edges name 'measurex', .*; the nodes are '_node'"),
        ({"starts": ("measurex",)}, "its starts name 'measurex'"),
        ({"progress": {"measurex": 1}}, "its progress name 'measurex'"),
        ({"nodes": (_node, _node)}, "several nodes are called '_node'"),
    ],
)
def test_a_name_that_no_node_has_is_told_with_its_place(parts: dict[str, Any], words: str) -> None:
    parts_of_flow: dict[str, Any] = {"nodes": (_node,), "edges": (), **parts}
    with pytest.raises(ValueError, match=words):
        Flow("f", "1", "notes", dict, **parts_of_flow)


def test_a_join_that_could_run_before_another_one_is_refused() -> None:
    edges = (("b", "one"), ("c", "two"), ("one", "two"))
    fork = Fork("a", list, ("b", "c"))
    with pytest.raises(ValueError, match="lead all of them through 'one'"):
        check("research", shape(edges, fork, joins="one two"))
