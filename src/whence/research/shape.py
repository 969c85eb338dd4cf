"""How the nodes of a flow follow each other, and where its branches meet.

LangGraph runs a node whenever something leads to it, so one where branches of different length
meet would run twice.  Such a node waits for its branches, and so does one that a flow declares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Send:
    """One branch of a fork: `node` runs with this `state` in place of the flow's.

    `branch` names it to people, such as the title of the part that it reads; its number otherwise.
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
    """After `source`, `decide(state)` chooses one or more of `to`, which run side by side.

    A choice is a node's name, or a `Send` that gives the node a state of its own.
    """

    source: str
    decide: Callable[[Any], Sequence[str | Send]]
    to: tuple[str, ...]


@dataclass(frozen=True)
class Shape:
    """The nodes of a flow by their names, and what leads where."""

    names: tuple[str, ...]
    first: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    branches: tuple[Branch | Fork, ...] = ()
    joins: tuple[str, ...] = ()

    @property
    def is_sequential(self) -> bool:
        """Whether never more than one node runs at a time."""
        sources = [source for source, _ in self.edges] + [b.source for b in self.branches]
        forks = any(isinstance(branch, Fork) for branch in self.branches)
        return len(set(sources)) == len(sources) and len(self.first) == 1 and not forks

    @property
    def leading(self) -> set[str]:
        """The nodes that others follow."""
        return {source for source, _ in self.edges} | {branch.source for branch in self.branches}


@dataclass(frozen=True)
class Joins:
    """How each joining node waits."""

    barriers: dict[str, tuple[str, ...]]
    """For each of these nodes: those before it, of which each runs exactly once."""
    deferred: frozenset[str]
    """These wait until nothing else is under way: what leads to them is decided while it runs."""


def joins_of(shape: Shape) -> Joins:
    """The flow's joins, declared or met by branches of different length."""
    joining = set(shape.joins) | _uneven(shape)
    barriers: dict[str, tuple[str, ...]] = {}
    for name in sorted(joining):
        before = tuple(dict.fromkeys(source for source, target in shape.edges if target == name))
        if len(before) > 1 and _certain(shape, name, before):
            barriers[name] = before
    return Joins(barriers, frozenset(joining - barriers.keys()))


def check(flow: str, shape: Shape) -> None:
    """Raises ValueError for joins of which one could run before the other and then again."""
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
    """Whether each of the nodes before a join runs, and once."""
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
    """Nodes where branches meet that began together and have different lengths."""
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
            # Those that have met continue as one, which may meet the others later.
            met = [arm for arm, of in zip(apart, lengths, strict=True) if meeting & of.keys()]
            rest = [arm for arm in apart if arm not in met]
            if len(met) < 2:
                break
            apart = [{name for arm in met for name in arm}, *rest]
    return uneven - set(shape.joins)


def _common(sets: Iterable[Iterable[str]]) -> set[str]:
    """The names that are in two or more of these."""
    once: set[str] = set()
    twice: set[str] = set()
    for names in sets:
        twice |= once & set(names)
        once |= set(names)
    return twice


def _arms(shape: Shape, source: str) -> list[set[str]]:
    """What begins together after a node; of one arm only one node begins."""
    arms = [{target} for before, target in shape.edges if before == source]
    for branch in shape.branches:
        if branch.source == source:
            one = isinstance(branch, Branch)
            arms += [set(branch.to)] if one else [{target} for target in branch.to]
    return arms


def _next(shape: Shape, source: str) -> set[str]:
    return {name for arm in _arms(shape, source) for name in arm}


def _reached(shape: Shape, begin: Iterable[str], *, without: str | None = None) -> set[str]:
    """The nodes that these lead to, themselves included."""
    reached: set[str] = set()
    waiting = [name for name in begin if name != without]
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting += _next(shape, node) - {without or ""}
    return reached


def _lengths(shape: Shape, begin: Iterable[str], stops: set[str]) -> dict[str, set[int]]:
    """How many nodes may lie on the way to each node; not past `stops`."""
    lengths: dict[str, set[int]] = {}
    here = set(begin)
    for distance in range(len(shape.names) + 1):
        for node in here:
            lengths.setdefault(node, set()).add(distance)
        here = {name for node in here - stops for name in _next(shape, node)}
    return lengths
