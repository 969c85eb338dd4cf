"""A run that its budget ends before its flow is through: what was not done."""

from __future__ import annotations

from collections.abc import Sequence

from whence.research.flow import Flow, name_of
from whence.research.tables import RunStep


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
