"""OpenAI's client without a typed object for every token that a model streams.

The client's library builds a model of each chunk, and LangChain turns it back into the JSON that it
was.  That was the largest part of what a token costs, and 50 conversations stream 2,500 a second.
"""

from __future__ import annotations

import copy
from typing import Any


def with_plain_chunks(completions: Any) -> Any:
    """The same resource of the client (`async_client` of LangChain's), its chunks plain JSON."""
    from openai import AsyncStream

    plain = copy.copy(completions)
    post: Any = completions._post

    async def posted(path: str, *, stream_cls: Any = None, **options: Any) -> Any:
        chunks = None if stream_cls is None else AsyncStream[object]
        return await post(path, stream_cls=chunks, **options)

    plain._post = posted
    return plain


def completed(chunk: dict[str, Any]) -> dict[str, Any]:
    """A chunk as LangChain expects it: one with pieces of a call has every member of a call."""
    match chunk:
        case {"choices": [{"delta": {"tool_calls": [*_]}}, *_]}:
            from openai.types.chat import ChatCompletionChunk

            return ChatCompletionChunk.construct(**chunk).model_dump()
        case _:
            return chunk
