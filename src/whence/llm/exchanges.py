"""What was sent to a model and what it answered, as it is kept: bounded, and without images."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from whence.llm.messages import Message
from whence.llm.tool_messages import ChatMessage, ToolRequests, ToolSpec
from whence.work.budget import Exchange, SentMessage

MOST_CHARACTERS = 12_000
"""Characters of one text that are kept; of a longer one the middle is left out."""
CONVERSATION_CHARACTERS = 120_000
"""The same for a turn of a conversation: its instructions hold the record, of 12,000 tokens."""
END_SHARE = 3
"""One part in this many is kept from the end of a long text, where prompts put the question."""


def exchange_of(
    messages: Sequence[ChatMessage],
    answer: str | None,
    tools: Sequence[ToolSpec] = (),
    most: int = MOST_CHARACTERS,
) -> Exchange:
    """The messages of a request with its tools, and its answer; texts of more than `most`
    characters are shortened.

    Requested calls and their results have the roles `calls` and `result`; the tools that the model
    was offered are a message of the role `tools`, behind the instructions.
    """
    sent = [_sent(message) for message in messages]
    if tools:
        offered = "\n\n".join(
            f"{tool.name}: {tool.description}\n{json.dumps(tool.schema, ensure_ascii=False)}"
            for tool in tools
        )
        sent.insert(1, SentMessage("tools", offered, 0))
    texts = [message.text for message in sent] + [answer or ""]
    return Exchange(
        messages=tuple(replace(message, text=shortened(message.text, most)) for message in sent),
        answer=None if answer is None else shortened(answer, most),
        is_shortened=any(len(text) > most for text in texts),
    )


def _sent(message: ChatMessage) -> SentMessage:
    if isinstance(message, Message):
        return SentMessage(message.role, message.text, len(message.images))
    if isinstance(message, ToolRequests):
        calls = [
            f"{call.name} {json.dumps(dict(call.arguments or {}), ensure_ascii=False)}"
            for call in message.calls
        ]
        return SentMessage("calls", "\n".join([message.text, *calls]).strip(), 0)
    return SentMessage("result", f"{message.name}: {message.text}", 0)


def shortened(text: str, most: int = MOST_CHARACTERS) -> str:
    """The text, or its beginning and end with how much is left out between them."""
    if len(text) <= most:
        return text
    end = most // END_SHARE
    begin = most - end
    left_out = len(text) - most
    return f"{text[:begin]}\n[… {left_out:,} characters are left out …]\n{text[-end:]}"
