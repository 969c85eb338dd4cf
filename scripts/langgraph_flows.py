"""The flows as the LangGraph development server opens them (`make studio`, `langgraph.json`).

They are the graphs that run, from the packs and from chat, to look at: each node and where it goes
next.  A node works on a run that a worker has claimed, or on a turn of a conversation, with rights,
fencing and a budget; the development server has neither, and a graph that is started there says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langgraph.graph.state import CompiledStateGraph

from whence.chat.turns.flow import chat_flow
from whence.kernel.errors import Conflict
from whence.packs.leave.flows.research import RESEARCH as LEAVE
from whence.packs.resale.flows.research import RESEARCH as RESALE
from whence.research.flow import Bound, Flow, Node
from whence.research.graph import build

Graph = CompiledStateGraph[Any, Any, Any, Any]


class OnlyShown(Conflict):
    """This graph is only shown here; `whence research KIND/ID` runs it, and `whence runs show`
    tells what each node did.
    """


def resale_research() -> Graph:
    """The research on an item to sell."""
    return _shown(RESALE)


def leave_research() -> Graph:
    """The research on a request for leave."""
    return _shown(LEAVE)


def chat() -> Graph:
    """A turn of a conversation, of any pack."""
    return chat_flow()


def _shown(flow: Flow) -> Graph:
    return build(flow, _bound).compile(name=f"{flow.kind} {flow.id} {flow.version}")


def _bound(name: str, node: Node) -> Bound:
    async def only_shown(state: Any) -> Mapping[str, Any]:
        raise OnlyShown

    return only_shown
