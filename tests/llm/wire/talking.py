"""Streamed answers that want tools, as OpenAI, Anthropic and Ollama would send them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from llm.wire.conftest import _SSE, Anthropic, Dialect, Ollama, OpenAI, Reply

Cut = Literal["no", "abruptly", "cleanly"]


@dataclass(frozen=True)
class Want:
    """A tool that the model wants; `arguments` as it writes them, JSON or not."""

    name: str
    arguments: object
    id: str = "toolu_1"

    @property
    def written(self) -> str:
        arguments = self.arguments
        return arguments if isinstance(arguments, str) else json.dumps(arguments)


def wanting(
    dialect: Dialect,
    *wants: Want,
    pieces: Sequence[str] = (),
    stop: str | None = None,
    cut: Cut = "no",
) -> Reply:
    """First the text, then the wanted calls; `stop` in the provider's own word."""
    match dialect:
        case OpenAI():
            return _openai(dialect, wants, pieces, stop, cut)
        case Anthropic():
            return _anthropic(dialect, wants, pieces, stop, cut)
        case Ollama():
            return _ollama(dialect, wants, pieces, stop, cut)


def _openai(
    dialect: OpenAI, wants: Sequence[Want], pieces: Sequence[str], stop: str | None, cut: Cut
) -> Reply:
    def event(choices: list[dict], **more: object) -> str:
        body = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": dialect.name}
        return f"data: {json.dumps({**body, 'choices': choices, **more})}\n\n"

    def delta(change: dict, end: str | None = None) -> str:
        return event([{"index": 0, "delta": change, "finish_reason": end}])

    chunks = [delta({"role": "assistant", "content": ""})]
    chunks += [delta({"content": piece}) for piece in pieces]
    for index, want in enumerate(wants):
        named = {"name": want.name, "arguments": ""}
        begun = {"index": index, "id": want.id, "type": "function", "function": named}
        chunks.append(delta({"tool_calls": [begun]}))
        for part in _halves(want.written):
            chunks.append(
                delta({"tool_calls": [{"index": index, "function": {"arguments": part}}]})
            )
    if cut == "no":
        usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        chunks.append(delta({}, stop or ("tool_calls" if wants else "stop")))
        chunks += [event([], usage=usage), "data: [DONE]\n\n"]
    return Reply(tuple(chunks), headers=_SSE, cut=cut)


def _anthropic(
    dialect: Anthropic, wants: Sequence[Want], pieces: Sequence[str], stop: str | None, cut: Cut
) -> Reply:
    def event(kind: str, **body: object) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **body})}\n\n"

    def block(index: int, start: dict, deltas: list[dict]) -> list[str]:
        head = event("content_block_start", index=index, content_block=start)
        parts = [event("content_block_delta", index=index, delta=delta) for delta in deltas]
        return [head, *parts, event("content_block_stop", index=index)]

    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": dialect.name,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 1},
    }
    chunks = [event("message_start", message=message)]
    if pieces:
        texts = [{"type": "text_delta", "text": piece} for piece in pieces]
        chunks += block(0, {"type": "text", "text": ""}, texts)
    for index, want in enumerate(wants, start=1 if pieces else 0):
        start = {"type": "tool_use", "id": want.id, "name": want.name, "input": {}}
        parts = [
            {"type": "input_json_delta", "partial_json": part}
            for part in ("", *_halves(want.written))
        ]
        chunks += block(index, start, parts)
    if cut == "no":
        values = {"stop_reason": stop or ("tool_use" if wants else "end_turn")}
        usage = {"input_tokens": 100, "output_tokens": 20}
        end = {**values, "stop_sequence": None}
        chunks += [event("message_delta", delta=end, usage=usage), event("message_stop")]
    elif not wants:
        chunks.pop()
    return Reply(tuple(chunks), headers=_SSE, cut=cut)


def _ollama(
    dialect: Ollama, wants: Sequence[Want], pieces: Sequence[str], stop: str | None, cut: Cut
) -> Reply:
    def line(message: dict, **more: object) -> str:
        body = {"model": dialect.name, "created_at": "2025-01-01T00:00:00Z"}
        values = {"role": "assistant", "content": "", **message}
        return json.dumps({**body, "message": values, "done": False, **more}) + "\n"

    chunks = [line({"content": piece}) for piece in pieces]
    for want in wants:
        call = {"function": {"name": want.name, "arguments": want.arguments}}
        chunks.append(line({"tool_calls": [call]}))
    if cut == "no":
        end = {"done_reason": stop or "stop", "prompt_eval_count": 100, "eval_count": 20}
        chunks.append(line({}, done=True, **end))
    return Reply(tuple(chunks), cut=cut)


def _halves(text: str) -> tuple[str, str]:
    middle = len(text) // 2
    return text[:middle], text[middle:]
