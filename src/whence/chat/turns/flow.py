"""The chat flow that all packs share; it keeps no checkpoints, as an answer is never resumed.

route_input → load_context → route_intent → answer_query | handle_action | start_research
                                          → respond
route_input → run_wizard → respond
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph


def chat_flow() -> CompiledStateGraph[Any, Any, Any, Any]:
    """The compiled graph; a turn is its context.

    LangGraph is imported here so that commands without a conversation start a second sooner.
    """
    from langgraph.graph import END, START, StateGraph

    from whence.chat.turns import nodes
    from whence.chat.turns.answering import answer_query
    from whence.chat.turns.changing import handle_action
    from whence.chat.turns.turn import Turn
    from whence.chat.turns.wizard_turn import run_wizard

    graph: StateGraph[Any, Any, Any, Any] = StateGraph(nodes.TurnState, context_schema=Turn)
    graph.add_node("route_input", nodes.route_input)
    graph.add_node("load_context", nodes.load_context)
    graph.add_node("route_intent", nodes.route_intent)
    graph.add_node("answer_query", answer_query)
    graph.add_node("handle_action", handle_action)
    graph.add_node("start_research", nodes.start_research)
    graph.add_node("run_wizard", run_wizard)
    graph.add_node("respond", nodes.respond)
    graph.add_edge(START, "route_input")
    graph.add_conditional_edges("route_input", nodes.after_input)
    graph.add_edge("load_context", "route_intent")
    graph.add_conditional_edges("route_intent", nodes.after_intent)
    for name in ("answer_query", "handle_action", "start_research", "run_wizard"):
        graph.add_edge(name, "respond")
    graph.add_edge("respond", END)
    return graph.compile()
