"""The graphs that the LangGraph development server opens (`make studio`, `langgraph.json`).

`chat` and `wizard` run: they hold a conversation as the local owner, over the data of
`WHENCE_HOME`.  The others are the graphs that run inside whence, to look at: each node and where it
goes next.  Their nodes work on a run that a worker has claimed, or on a turn of a conversation,
with rights, fencing and a budget; a graph of these that is started there says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypedDict
from uuid import UUID

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph

from whence.app.studio import DevelopmentContext, StudioMessage
from whence.chat.turns.flow import chat_flow
from whence.kernel.errors import Conflict
from whence.packs.leave.flows.research import RESEARCH as LEAVE
from whence.packs.resale.flows.research import RESEARCH as RESALE
from whence.research.flow import Bound, Flow, Node
from whence.research.graph import build

Graph = CompiledStateGraph[Any, Any, Any, Any]
INPUT = ("action", "wizardId", "wizardRunId", "inputStepId", "inputResponses", "revision")
"""The fields of input for a wizard, as `wizardInput` has them over the API."""
_context = DevelopmentContext()


class OnlyShown(Conflict):
    """This graph is only shown here; `whence research KIND/ID` runs it, and `whence runs show`
    tells what each node did.
    """


class Conversation(TypedDict, total=False):
    """A thread of the development server: one conversation."""

    messages: Annotated[list[AnyMessage], add_messages]
    record: str
    """The record to talk about, such as `items/HP-001`; only with the first message."""
    page: str
    """The page to talk about; without it, the one that can answer the question."""
    sessionId: str
    answer: dict[str, Any]
    """The last answer, as the API returns it."""


class GuidedConversation(Conversation, total=False):
    """A conversation with a wizard: `action` is for the wizard, a message without it for the
    chat."""

    action: Literal["init", "respond", "resume", "back", "change", "cancel"] | None
    wizardId: str | None
    wizardRunId: str | None
    inputStepId: str | None
    inputResponses: dict[str, Any] | list[dict[str, Any]] | None
    revision: int | None
    wizard: dict[str, Any]
    """The wizard's step, as a client draws it."""


def chat() -> Graph:
    """A conversation: a plain message gets its answer."""
    graph = StateGraph(Conversation)
    graph.add_node("answer_question", answer_question)
    graph.add_edge(START, "answer_question")
    graph.add_edge("answer_question", END)
    return graph.compile(name="chat")


def wizard() -> Graph:
    """A conversation with a wizard, and questions in between."""
    graph = StateGraph(GuidedConversation)
    graph.add_node("wizard_step", wizard_step)
    graph.add_node("answer_question", answer_question)
    graph.add_conditional_edges(START, _by_input)
    graph.add_edge("wizard_step", END)
    graph.add_edge("answer_question", END)
    return graph.compile(name="wizard")


def _by_input(state: GuidedConversation) -> Literal["wizard_step", "answer_question"]:
    return "wizard_step" if state.get("action") else "answer_question"


async def answer_question(state: Conversation) -> dict[str, Any]:
    """Send the last message to the chat."""
    message = StudioMessage(
        _last_text(state.get("messages", ())), page=state.get("page"), **_place(state)
    )
    return await _answered(message)


async def wizard_step(state: GuidedConversation) -> dict[str, Any]:
    """Pass the input to the wizard of this conversation; its fields are used up."""
    given = {name: state.get(name) for name in INPUT if state.get(name) is not None}
    answered = await _answered(StudioMessage(wizard_input=given, **_place(state)))
    step = answered["answer"]["meta"].get("wizard")
    return {**answered, **dict.fromkeys(INPUT), **({"wizard": step} if step else {})}


async def _answered(message: StudioMessage) -> dict[str, Any]:
    answer = await _context.take_turn(message)
    return {
        "messages": [AIMessage(answer.content, id=str(answer.id))],
        "sessionId": str(answer.session_id),
        "answer": answer.model_dump(mode="json", by_alias=True),
    }


def _place(state: Conversation) -> dict[str, Any]:
    session_id = state.get("sessionId")
    return {
        "session_id": UUID(session_id) if session_id else None,
        "record": state.get("record"),
    }


def _last_text(messages: Sequence[AnyMessage]) -> str:
    last = next((each for each in reversed(messages) if isinstance(each, HumanMessage)), None)
    return last.text if last else ""


def resale_research() -> Graph:
    """The research on an item to sell."""
    return _shown(RESALE)


def leave_research() -> Graph:
    """The research on a request for leave."""
    return _shown(LEAVE)


def chat_turn() -> Graph:
    """A turn of a conversation, of any pack, as it runs inside whence."""
    return chat_flow()


def _shown(flow: Flow) -> Graph:
    return build(flow, _bound).compile(name=f"{flow.kind} {flow.id} {flow.version}")


def _bound(name: str, node: Node) -> Bound:
    async def only_shown(state: Any) -> Mapping[str, Any]:
        raise OnlyShown

    return only_shown
