"""Build a LangGraph graph from a flow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send as GraphSend
from pydantic_core import to_jsonable_python

from whence.kernel.errors import WhenceError
from whence.research.flow import Bound, Flow, Node, name_of
from whence.research.shape import Branch, Fork, Send, joins_of

BRANCH_KEY = "__branch__"
"""The key that carries a branch's name beside its state until the node starts."""


class BadChoice(WhenceError):
    """A flow chose nodes that it cannot branch to; correct `decide` in its pack."""


def build(flow: Flow, bind: Callable[[str, Node], Bound]) -> StateGraph[Any]:
    """The graph, with every node bound to its run by `bind`."""
    joins = joins_of(flow.shape)
    graph: StateGraph[Any] = StateGraph(flow.state)
    for node in flow.nodes:
        bound: Any = bind(name_of(node), node)  # LangGraph's type expects named parameters
        graph.add_node(name_of(node), bound, defer=name_of(node) in joins.deferred)
    for name in flow.first:
        graph.add_edge(START, name)
    for source, target in flow.edges:
        if target not in joins.barriers:
            graph.add_edge(source, target)
    for target, sources in joins.barriers.items():
        graph.add_edge(list(sources), target)
    for number, branch in enumerate(flow.branches):
        decide: Any = _decide(branch)
        decide.__name__ = f"decide_{number}"  # several of one node need different names
        graph.add_conditional_edges(branch.source, decide, list(branch.to))
    for name in flow.names:
        if name not in flow.shape.leading:
            graph.add_edge(name, END)
    return graph


def branch_of(state: Any) -> tuple[Any, str | None]:
    """The node's state, and the name of its branch if it is one of several."""
    if not isinstance(state, Mapping) or BRANCH_KEY not in state:
        return state, None
    values: dict[str, Any] = dict(state)
    return values, str(values.pop(BRANCH_KEY))


def _decide(branch: Branch | Fork) -> Callable[[Any], Any]:
    def one(state: Any) -> str:
        chosen = branch.decide(state)
        if not isinstance(chosen, str):
            raise BadChoice(f"After {branch.source}, a Branch chose {chosen!r}; use a Fork.")
        return chosen

    def several(state: Any) -> list[str | GraphSend]:
        chosen = branch.decide(state)
        if isinstance(chosen, str):
            chosen = (chosen,)
        if not chosen:
            raise BadChoice(
                f"After {branch.source}, a Fork chose nothing; name the node that should follow."
            )
        sent = [_sent(branch, n, each) for n, each in enumerate(chosen)]
        named = Counter((s.node, s.arg[BRANCH_KEY]) for s in sent if isinstance(s, GraphSend))
        if twice := [name for (_, name), times in named.items() if times > 1]:
            raise BadChoice(f"After {branch.source}, two branches are called '{twice[0]}'.")
        return sent

    return several if isinstance(branch, Fork) else one


def _sent(branch: Branch | Fork, number: int, choice: str | Send) -> str | GraphSend:
    node = choice.node if isinstance(choice, Send) else choice
    if node not in branch.to:
        raise BadChoice(f"After {branch.source}, a Fork chose '{node}', which is not in its `to`.")
    if isinstance(choice, str):
        return choice
    state = to_jsonable_python(dict(choice.state))
    return GraphSend(node, {**state, BRANCH_KEY: choice.branch or str(number + 1)})
