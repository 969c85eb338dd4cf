"""OpenAI's client, extended to pass on a refusal in the middle of a stream.

OpenAI streams a refusal as pieces of their own (`delta.refusal`), and ends with an ordinary `stop`.
LangChain's client drops them, so that a refusal looks like an empty answer.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from whence.llm.plain_chunks import completed

if TYPE_CHECKING:
    from langchain_core.outputs import ChatGenerationChunk
    from langchain_openai import ChatOpenAI

REFUSAL = "refusal"
"""The key under which a whole answer of this client already has its refusal."""


@cache
def openai_client() -> type[ChatOpenAI]:
    """The class of the client; made when it is first needed, as importing it takes seconds."""
    from langchain_openai import ChatOpenAI

    class TellingRefusals(ChatOpenAI):
        def _convert_chunk_to_generation_chunk(
            self, chunk: dict[str, Any], *rest: Any, **named: Any
        ) -> ChatGenerationChunk | None:
            converted = super()._convert_chunk_to_generation_chunk(completed(chunk), *rest, **named)
            refused = refusal_in(chunk)
            if converted is not None and refused:
                converted.message.additional_kwargs[REFUSAL] = refused
            return converted

    return TellingRefusals


def refusal_in(chunk: dict[str, Any]) -> str | None:
    """The piece of a refusal in a streamed chunk, None without one."""
    match chunk:
        case {"choices": [{"delta": {"refusal": str(words)}}, *_]}:
            return words
        case _:
            return None
