"""One request to a model, whole or streamed, through the provider's own client.

Only the provider receives the request: LangSmith tracing is switched off around every request, even
if another program's LANGSMITH_* variables are in the environment.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from whence.llm.body_limit import body_limit
from whence.llm.failures import ModelFailed, client_errors, failure_of
from whence.llm.messages import Answer, Message, from_client, to_client
from whence.llm.models import ChatModel
from whence.llm.schemas import OutputSchema

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage

T = TypeVar("T")
QUEUED_PIECES = 64
"""Pieces of a stream read ahead of a slow listener before the provider has to wait."""


async def ask(
    model: ChatModel, messages: Sequence[Message], schema: OutputSchema | None = None
) -> Answer:
    """Ask once, for free text or for JSON of `schema`.

    Raises ModelFailed for whatever the client raises, when the whole answer takes longer than the
    model's timeout (the client's own counts only the silence between two packets), and when it is
    longer than the model's answers may be.
    """
    client = await model.client()
    from langsmith import tracing_context

    options = _held_to(model, schema) if schema else {}
    sent = to_client(_with_schema_in_words(model, messages, schema))
    limit = model.choice.answer_characters
    with body_limit(limit) as body:
        try:
            with tracing_context(enabled=False):
                async with asyncio.timeout(model.choice.timeout):
                    message = await client.ainvoke(sent, **options)
        except client_errors(model.choice.provider) as error:
            if body.is_exceeded:
                detail = f"The answer has more than {body.most_bytes} bytes; the rest was not read"
                raise ModelFailed("truncated", detail) from error
            raise failure_of(error, model) from error
    answer = from_client(message)
    if (size := len(answer.text)) > limit:
        detail = f"The answer has {size} characters; the limit is {limit}"
        raise ModelFailed("truncated", detail, tokens=answer.tokens)
    return answer


async def arriving(
    model: ChatModel,
    request: Callable[[BaseChatModel], AsyncIterator[AIMessage]],
    read: Callable[[AIMessage], T],
    silence: float | None = None,
    first_piece: float | None = None,
) -> AsyncGenerator[T]:
    """The pieces that `request` streams, as `read` reads them.

    Raises ModelFailed when the stream breaks, when its first piece takes longer than
    `first_piece` or the model's timeout, or when it falls silent afterwards for `silence` seconds
    (by default as long).
    """
    await model.client()
    pieces: asyncio.Queue[Arrived[T] | ModelFailed | None] = asyncio.Queue(QUEUED_PIECES)
    longest_wait = min(first_piece or model.choice.timeout, model.choice.timeout)
    # A task has a context of its own, so switching tracing off does not leak to the listener.
    pump = asyncio.create_task(_pump(model, request, read, pieces))
    try:
        while True:
            try:
                async with asyncio.timeout(longest_wait):
                    piece = await pieces.get()
            except TimeoutError as error:
                raise failure_of(error, model) from error
            if isinstance(piece, ModelFailed):
                raise piece
            if piece is None:
                break
            longest_wait = silence or model.choice.timeout
            yield piece.what
        await pump
    finally:
        pump.cancel()


@dataclass(frozen=True)
class Arrived(Generic[T]):
    """One piece of a stream."""

    what: T


async def _pump(
    model: ChatModel,
    request: Callable[[BaseChatModel], AsyncIterator[AIMessage]],
    read: Callable[[AIMessage], T],
    pieces: asyncio.Queue[Arrived[T] | ModelFailed | None],
) -> None:
    from langsmith import tracing_context

    client = await model.client()
    end: ModelFailed | None = None
    try:
        with tracing_context(enabled=False):
            async for chunk in request(client):
                await pieces.put(Arrived(read(chunk)))
    except client_errors(model.choice.provider) as error:
        end = failure_of(error, model)
    await pieces.put(end)


def _held_to(model: ChatModel, schema: OutputSchema) -> dict[str, Any]:
    """The provider's options for constraining an answer to a schema."""
    if model.choice.provider == "ollama":
        return {"format": schema.schema}
    if model.choice.provider == "openai":
        named = {"name": schema.name, "schema": schema.schema, "strict": schema.strict}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    if model.schema_mode and schema.strict:
        return {"output_config": {"format": {"type": "json_schema", "schema": schema.schema}}}
    tool = {
        "name": schema.name,
        "description": "Give the answer.",
        "input_schema": schema.schema,
    }
    return {"tools": [tool], "tool_choice": {"type": "tool", "name": schema.name}}


def _with_schema_in_words(
    model: ChatModel, messages: Sequence[Message], schema: OutputSchema | None
) -> Sequence[Message]:
    """Ollama constrains the model to the grammar without showing it the schema, so show it."""
    if schema is None or model.choice.provider != "ollama":
        return messages
    words = f"Answer with one JSON object of this schema:\n{json.dumps(schema.schema)}"
    return [Message("system", words), *messages]
