"""A run that its budget ends before its flow is through: why, and what was not done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whence.research.flow import Flow, name_of
from whence.research.tables import RunStep


@dataclass(frozen=True)
class EndedEarly:
    """Why a run ends early, in words, and the nodes that it did not do or finish, in order."""

    reason: str
    nodes: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """What was not done, for a flow that has no better words for its nodes."""
        return (self.reason, *(f"{node} was not done" for node in self.nodes))


def undone(flow: Flow, steps: Sequence[RunStep]) -> tuple[str, ...]:
    """The nodes of a flow that a run did not finish, in the flow's order.

    A node that only a branch leads to may never have been needed: it counts once it was begun.  The
    last node counts then too, since `partial` takes its place otherwise.
    """
    last = {step.node: step.status for step in steps}
    on_the_way = {name_of(flow.nodes[0])} | {target for _, target in flow.edges}
    leading = {source for source, _ in flow.edges} | {branch.source for branch in flow.branches}
    names = [name_of(node) for node in flow.nodes]
    return tuple(
        name
        for name in names
        if (last[name] != "success" if name in last else name in on_the_way & leading)
    )
