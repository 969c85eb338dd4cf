"""A run that ends before its flow is through: why, and what was not done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whence.research.shape import Shape
from whence.research.tables import RunStep

DONE = ("success", "skipped")


@dataclass(frozen=True)
class EndedEarly:
    """Why a run ends early, in words, and the nodes that it did not do or finish, in order."""

    reason: str
    nodes: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """What was not done, for a flow that has no better words for its nodes."""
        return (self.reason, *(f"{node} was not done" for node in self.nodes))


def undone(flow: Shape, steps: Sequence[RunStep]) -> tuple[str, ...]:
    """The nodes of a flow that a run did not finish, in the flow's order.

    A node that only a branch leads to may never have been needed: it counts once it was begun.  The
    last node counts then too, since `partial` takes its place otherwise.  A node that runs in
    several branches is done when all that began are.
    """
    begun = {step.node for step in steps}
    last = {(step.node, step.branch): step.status for step in steps}
    unfinished = {node for (node, _), status in last.items() if status not in DONE}
    on_the_way = set(flow.first) | {target for _, target in flow.edges}
    return tuple(
        name
        for name in flow.names
        if (name in unfinished if name in begun else name in on_the_way & flow.leading)
    )
