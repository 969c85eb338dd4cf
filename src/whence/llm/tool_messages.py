"""Tools in a conversation with a model, independent of the provider."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import JsonValue, TypeAdapter, ValidationError

from whence.llm.budget import estimate_tokens
from whence.llm.messages import Message, estimate

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

_ARGUMENTS: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])
_NOT_IN_A_NAME = re.compile(r"[^a-zA-Z0-9_-]")
LONGEST_NAME = 64
"""Characters of a tool's name that OpenAI takes; Anthropic takes 128."""


@dataclass(frozen=True)
class ToolSpec:
    """A tool as described to a model; `schema` is the JSON schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, JsonValue]


@dataclass(frozen=True)
class RequestedCall:
    """A call that a model requests; `arguments` is None if they are not a JSON object."""

    id: str
    name: str
    arguments: Mapping[str, JsonValue] | None


@dataclass(frozen=True)
class ToolRequests:
    """The model's message that requested tools, to be sent again together with their results."""

    text: str
    calls: tuple[RequestedCall, ...]


@dataclass(frozen=True)
class ToolResult:
    """The result of a call, as sent to the model that requested it."""

    id: str
    name: str
    text: str
    failed: bool = False


ChatMessage = Message | ToolRequests | ToolResult
"""One message of a conversation with tool calls."""


def chat_to_client(messages: Sequence[ChatMessage]) -> list[object]:
    """The messages in the form of LangChain's clients."""
    from langchain_core.messages import AIMessage, ToolMessage
    from langchain_core.messages.tool import tool_call

    sent: list[object] = []
    for message in messages:
        if isinstance(message, Message):
            sent.append({"role": message.role, "content": message.text})
        elif isinstance(message, ToolRequests):
            calls = [
                tool_call(name=_sendable(one.name), args=dict(one.arguments or {}), id=one.id)
                for one in message.calls
            ]
            sent.append(AIMessage(content=message.text, tool_calls=calls))
        else:
            status = "error" if message.failed else "success"
            name = _sendable(message.name)
            sent.append(
                ToolMessage(content=message.text, tool_call_id=message.id, name=name, status=status)
            )
    return sent


def tools_to_client(tools: Sequence[ToolSpec]) -> list[dict[str, object]]:
    """The tools in the form that every LangChain client takes."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.schema),
            },
        }
        for tool in tools
    ]


def estimate_messages(messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]) -> int:
    """An estimate of the tokens of these messages, with the tools."""
    of_messages = estimate([message for message in messages if isinstance(message, Message)])
    calls = "".join(
        f"{message.text}{''.join(f'{one.name}{one.arguments}' for one in message.calls)}"
        if isinstance(message, ToolRequests)
        else message.text
        for message in messages
        if not isinstance(message, Message)
    )
    return (
        of_messages + estimate_tokens(calls) + estimate_tokens(json.dumps(tools_to_client(tools)))
    )


@dataclass(frozen=True)
class CallPiece:
    """A piece of a requested call in a stream."""

    index: int | str | None
    id: str | None
    name: str | None
    arguments: str


def call_pieces(chunk: AIMessage) -> tuple[CallPiece, ...]:
    """The pieces of requested calls in a chunk of a stream."""
    from langchain_core.messages import AIMessageChunk

    if not isinstance(chunk, AIMessageChunk):
        return ()
    return tuple(
        CallPiece(one.get("index"), one["id"], one["name"], one["args"] or "")
        for one in chunk.tool_call_chunks
    )


class RequestedCalls:
    """Assembles requested calls from the pieces of a stream.

    Providers number the calls of an answer, but not all of them do, and some servers number all
    of them 0: a piece with an id of its own begins a call.
    """

    def __init__(self) -> None:
        self._calls: list[_PartialCall] = []

    def add(self, piece: CallPiece) -> None:
        """Take the next piece."""
        call = next((one for one in reversed(self._calls) if one.takes(piece)), None)
        if call is None:
            call = _PartialCall(piece.index, piece.id or f"call_{len(self._calls)}")
            self._calls.append(call)
        call.name += piece.name or ""
        call.arguments += piece.arguments

    @property
    def text(self) -> str:
        """The text of all calls, to count its tokens."""
        return "".join(one.name + one.arguments for one in self._calls)

    def __iter__(self) -> Iterator[RequestedCall]:
        for one in self._calls:
            yield RequestedCall(one.id, one.name, _read(one.arguments))


@dataclass
class _PartialCall:
    index: int | str | None
    id: str
    name: str = ""
    arguments: str = ""

    def takes(self, piece: CallPiece) -> bool:
        if piece.id is not None and piece.id != "":
            return piece.id == self.id
        return piece.index == self.index and not (piece.index is None and piece.name)


def _read(arguments: str) -> dict[str, JsonValue] | None:
    try:
        return _ARGUMENTS.validate_json(arguments.strip() or "{}")
    except ValidationError:
        return None


def _sendable(name: str) -> str:
    """A name that the provider accepts, whatever name the model made up."""
    return _NOT_IN_A_NAME.sub("_", name)[:LONGEST_NAME] or "unnamed"
