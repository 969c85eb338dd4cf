"""OpenAI's client without a typed object for every token that a model streams.

The client's library builds a model of each chunk, and LangChain turns it back into the JSON that it
was: with the coalescing below, an answer costs half the processor time without it (ADR 0025).
"""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from whence.llm.coalescing import coalesced

if TYPE_CHECKING:
    from openai import AsyncOpenAI


def with_plain_chunks(completions: Any, client: AsyncOpenAI) -> Any:
    """The same resource of the client (`async_client` of LangChain's).

    The chunks that it streams are plain JSON, and coalesced.
    """
    from openai import AsyncStream

    class Coalesced(AsyncStream[object]):
        async def __aiter__(self) -> AsyncIterator[object]:
            async with aclosing(coalesced(self._iterator)) as chunks:
                async for chunk in chunks:
                    yield chunk

    async def create(**request: Any) -> Any:
        if not request.get("stream"):
            return await completions.create(**request)
        # Straight to the address: the resource would copy every tool, member by member.
        return await client.post(
            "/chat/completions", body=request, cast_to=object, stream=True, stream_cls=Coalesced
        )

    plain = copy.copy(completions)
    plain.create = create
    return plain


def completed(chunk: dict[str, Any]) -> dict[str, Any]:
    """A chunk as LangChain expects it: one with pieces of a call has every member of a call."""
    match chunk:
        case {"choices": [{"delta": {"tool_calls": [*_]}}, *_]}:
            from openai.types.chat import ChatCompletionChunk

            return ChatCompletionChunk.construct(**chunk).model_dump()
        case _:
            return chunk
