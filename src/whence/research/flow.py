"""A flow, as a pack declares it: typed state, named nodes, and how they follow each other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from whence.evidence.records import Recompute

if TYPE_CHECKING:
    from langgraph.graph import StateGraph

    from whence.research.context import RunContext

State = Mapping[str, Any]
Update = Mapping[str, Any]
Node = Callable[[Any, "RunContext"], Awaitable[Update]]
"""`async def node(state, run) -> update`; its name is the node's name on the wire."""
Bound = Callable[[Any], Awaitable[Update]]


@dataclass(frozen=True)
class Branch:
    """After `source`, `decide(state)` names one of `to`."""

    source: str
    decide: Callable[[Any], str]
    to: tuple[str, ...]


@dataclass(frozen=True)
class Flow:
    """A research flow for one kind of subject.

    `state` is a TypedDict of plain values: ids and small facts; bulk belongs in tables.
    `edges` are followed in order; a node with neither edge nor branch ends the run.  `partial`
    builds what can be saved when a budget ends the run early; it runs as a node of its own.
    """

    id: str
    version: str
    kind: str
    state: type
    nodes: tuple[Node, ...]
    edges: tuple[tuple[str, str], ...]
    branches: tuple[Branch, ...] = ()
    recomputations: Mapping[str, Recompute] = field(default_factory=dict)
    partial: Node | None = None

    def __post_init__(self) -> None:
        names = [name_of(node) for node in self.nodes]
        used = {name for edge in self.edges for name in edge}
        used |= {name for branch in self.branches for name in (branch.source, *branch.to)}
        if len(set(names)) != len(names) or not used <= set(names):
            raise ValueError(f"Flow '{self.id}': {sorted(used - set(names)) or names} do not fit.")

    @property
    def is_sequential(self) -> bool:
        """Whether never more than one node runs at a time."""
        sources = [source for source, _ in self.edges] + [b.source for b in self.branches]
        return len(set(sources)) == len(sources)

    def graph(self, bind: Callable[[str, Node], Bound]) -> StateGraph[Any]:
        """The LangGraph graph, with every node bound to its run by `bind`.

        LangGraph is loaded here, so that commands that run no flow start a second sooner.
        """
        from langgraph.graph import END, START, StateGraph

        graph: StateGraph[Any] = StateGraph(self.state)
        for node in self.nodes:
            bound: Any = bind(name_of(node), node)  # LangGraph's own type wants named parameters
            graph.add_node(name_of(node), bound)
        graph.add_edge(START, name_of(self.nodes[0]))
        for source, target in self.edges:
            graph.add_edge(source, target)
        for branch in self.branches:
            graph.add_conditional_edges(branch.source, branch.decide, list(branch.to))
        leading = {source for source, _ in self.edges} | {b.source for b in self.branches}
        for node in self.nodes:
            if name_of(node) not in leading:
                graph.add_edge(name_of(node), END)
        return graph


def name_of(node: Node) -> str:
    """A node's name on the wire: its function's name."""
    return getattr(node, "__name__", type(node).__name__)
