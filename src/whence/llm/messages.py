"""Messages to and answers from a model, independent of the provider."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict

from whence.llm.budget import estimate_tokens

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

Stop = Literal["complete", "truncated", "refused", "interrupted"]
_STOPS: Mapping[str, Stop] = {
    # OpenAI
    "stop": "complete",
    "tool_calls": "complete",
    "completed": "complete",
    "length": "truncated",
    "max_output_tokens": "truncated",
    "content_filter": "refused",
    # Anthropic
    "end_turn": "complete",
    "stop_sequence": "complete",
    "tool_use": "complete",
    "max_tokens": "truncated",
    "model_context_window_exceeded": "truncated",
    "refusal": "refused",
}


class ImagePart(BaseModel):
    """A photograph for a model to look at."""

    model_config = ConfigDict(frozen=True)

    media_type: Literal["image/jpeg", "image/png", "image/webp", "image/gif"]
    data: bytes


@dataclass(frozen=True)
class Message:
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    text: str
    images: tuple[ImagePart, ...] = ()


@dataclass(frozen=True)
class Answer:
    """A model's answer: its text, how it ended, and the tokens as the provider counted them."""

    text: str
    stop: Stop
    tokens: tuple[int, int] | None
    """(in, out), or None where the provider did not say."""


def to_client(messages: Sequence[Message]) -> list[dict[str, object]]:
    """The messages as LangChain's clients take them."""
    return [{"role": each.role, "content": _content(each)} for each in messages]


def estimate(messages: Sequence[Message], schema: Mapping[str, object] | None = None) -> int:
    """About how many tokens these messages are, with the schema that goes along."""
    text = "\n".join(each.text for each in messages) + (json.dumps(schema) if schema else "")
    return estimate_tokens(text, sum(len(each.images) for each in messages))


def from_client(message: AIMessage) -> Answer:
    """Read an answer (or a piece of a streamed one), whichever provider's client made it."""
    text = message.text
    if message.tool_calls:
        text = json.dumps(message.tool_calls[0]["args"])
    return Answer(text, stop_of(message), tokens_of(message))


def stop_of(message: AIMessage) -> Stop:
    """How the answer ended; `interrupted` where the provider never said that it had ended."""
    if message.additional_kwargs.get("refusal") or _refusal_block(message):
        return "refused"
    metadata = message.response_metadata
    incomplete = metadata.get("incomplete_details")
    if isinstance(incomplete, dict) and incomplete.get("reason"):
        return _STOPS.get(str(incomplete["reason"]), "truncated")
    for key in ("finish_reason", "stop_reason", "done_reason", "status"):
        if isinstance(value := metadata.get(key), str):
            return _STOPS.get(value, "complete")
    return "complete" if metadata.get("done") is True else "interrupted"


def tokens_of(message: AIMessage) -> tuple[int, int] | None:
    """(in, out) as the provider counted them."""
    usage = message.usage_metadata
    return (usage["input_tokens"], usage["output_tokens"]) if usage else None


def _refusal_block(message: AIMessage) -> bool:
    blocks = message.content if isinstance(message.content, list) else []
    return any(isinstance(block, dict) and block.get("type") == "refusal" for block in blocks)


def _content(message: Message) -> str | list[dict[str, str]]:
    if not message.images:
        return message.text
    pictures = [
        {
            "type": "image",
            "base64": base64.b64encode(image.data).decode(),
            "mime_type": image.media_type,
        }
        for image in message.images
    ]
    return [*pictures, {"type": "text", "text": message.text}]
