"""How the nodes of a flow are connected, and where its branches meet.

LangGraph runs a node whenever a branch reaches it, so a node where branches of different lengths
meet would run twice.  Such a node therefore waits for its branches, as does a declared join.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Send:
    """One branch of a fork: `node` runs with this `state` instead of the flow's.

    `branch` is its name for people, such as the title of a part; its number by default.
    """

    node: str
    state: Mapping[str, Any]
    branch: str | None = None


@dataclass(frozen=True)
class Branch:
    """After `source`, `decide(state)` names one of `to`."""

    source: str
    decide: Callable[[Any], str]
    to: tuple[str, ...]


@dataclass(frozen=True)
class Fork:
    """After `source`, `decide(state)` chooses one or more of `to`, which run in parallel.

    A choice is a node's name, or a `Send` with a separate state for the node.
    """

    source: str
    decide: Callable[[Any], Sequence[str | Send]]
    to: tuple[str, ...]


@dataclass(frozen=True)
class Shape:
    """The names of a flow's nodes, and their connections."""

    names: tuple[str, ...]
    first: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    branches: tuple[Branch | Fork, ...] = ()
    joins: tuple[str, ...] = ()

    @property
    def is_sequential(self) -> bool:
        """Whether at most one node runs at a time."""
        sources = [source for source, _ in self.edges] + [b.source for b in self.branches]
        forks = any(isinstance(branch, Fork) for branch in self.branches)
        return len(set(sources)) == len(sources) and len(self.first) == 1 and not forks

    @property
    def leading(self) -> set[str]:
        """The nodes that others follow."""
        return {source for source, _ in self.edges} | {branch.source for branch in self.branches}


@dataclass(frozen=True)
class Joins:
    """How each join waits."""

    barriers: dict[str, tuple[str, ...]]
    """For each such join, the nodes before it, each of which runs exactly once."""
    deferred: frozenset[str]
    """Joins that wait until no other node is active, as their branches are chosen at run time."""


def joins_of(shape: Shape) -> Joins:
    """The flow's joins: declared ones, and nodes where branches of different lengths meet."""
    joining = set(shape.joins) | _uneven(shape)
    barriers: dict[str, tuple[str, ...]] = {}
    for name in sorted(joining):
        before = tuple(dict.fromkeys(source for source, target in shape.edges if target == name))
        if len(before) > 1 and _certain(shape, name, before):
            barriers[name] = before
    return Joins(barriers, frozenset(joining - barriers.keys()))


def check(flow: str, shape: Shape) -> None:
    """Raise ValueError for a join that could run before another one and then again."""
    deferred = sorted(joins_of(shape).deferred)
    for later in deferred:
        for earlier in deferred:
            if earlier == later or later not in _reached(shape, _next(shape, earlier)):
                continue
            if later in _reached(shape, shape.first, without=earlier):
                raise ValueError(
                    f"Flow '{flow}': branches reach the join '{later}' both through the join "
                    f"'{earlier}' and past it; lead all of them through '{earlier}'."
                )


def _certain(shape: Shape, name: str, before: Iterable[str]) -> bool:
    """Whether each node before a join runs exactly once."""
    around = {name, *before}
    if any(around & set(branch.to) for branch in shape.branches):
        return False
    always, waiting = set[str](), list(shape.first)
    while waiting:
        node = waiting.pop()
        if node not in always:
            always.add(node)
            waiting += [target for source, target in shape.edges if source == node]
    return set(before) <= always and not any(n in _reached(shape, _next(shape, n)) for n in around)


def _uneven(shape: Shape) -> set[str]:
    """Nodes where branches of different lengths from the same fork meet."""
    uneven: set[str] = set()
    for arms in [[{name} for name in shape.first], *(_arms(shape, name) for name in shape.names)]:
        apart = arms
        while len(apart) > 1:
            common = _common([_reached(shape, arm) for arm in apart])
            lengths = [_lengths(shape, arm, common) for arm in apart]
            meeting = _common(lengths)
            for name in meeting:
                distances = {length for of in lengths for length in of.get(name, ())}
                uneven |= {name} if len(distances) > 1 else set()
            # Branches that have met continue as one, which may meet the others later.
            met = [arm for arm, of in zip(apart, lengths, strict=True) if meeting & of.keys()]
            rest = [arm for arm in apart if arm not in met]
            if len(met) < 2:
                break
            apart = [{name for arm in met for name in arm}, *rest]
    return uneven - set(shape.joins)


def _common(sets: Iterable[Iterable[str]]) -> set[str]:
    """The names that are in at least two of the sets."""
    once: set[str] = set()
    twice: set[str] = set()
    for names in sets:
        twice |= once & set(names)
        once |= set(names)
    return twice


def _arms(shape: Shape, source: str) -> list[set[str]]:
    """The groups of nodes that start in parallel after a node; one node of each group starts."""
    arms = [{target} for before, target in shape.edges if before == source]
    for branch in shape.branches:
        if branch.source == source:
            one = isinstance(branch, Branch)
            arms += [set(branch.to)] if one else [{target} for target in branch.to]
    return arms


def _next(shape: Shape, source: str) -> set[str]:
    return {name for arm in _arms(shape, source) for name in arm}


def _reached(shape: Shape, begin: Iterable[str], *, without: str | None = None) -> set[str]:
    """The nodes reachable from these, including themselves."""
    reached: set[str] = set()
    waiting = [name for name in begin if name != without]
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting += _next(shape, node) - {without or ""}
    return reached


def _lengths(shape: Shape, begin: Iterable[str], stops: set[str]) -> dict[str, set[int]]:
    """The possible path lengths to each node; paths end at `stops`."""
    lengths: dict[str, set[int]] = {}
    here = set(begin)
    for distance in range(len(shape.names) + 1):
        for node in here:
            lengths.setdefault(node, set()).add(distance)
        here = {name for node in here - stops for name in _next(shape, node)}
    return lengths
