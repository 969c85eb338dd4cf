"""The providers' clients, each with its own HTTP clients, which the creator closes.

By default LangChain's clients keep their HTTP clients for the whole process, and nobody closes
them: their connections outlive the event loop that they were opened on, and are dropped when the
garbage collector finds them, on whatever loop is running then.

The clients' own retries are off, because `kernel/retry.py` is the one place that retries.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from whence.llm.body_limit import read_within_limit
from whence.llm.choice import ModelChoice
from whence.llm.plain_chunks import with_plain_chunks
from whence.llm.refusing import openai_client

if TYPE_CHECKING:
    import httpx
    from langchain_core.language_models import BaseChatModel

MAX_ANSWER_TOKENS = 8_192
"""Longest answer, tokens.  Far above a skill's need; a model that reasons needs room before it."""
OLLAMA_CONTEXT = 16_384
"""Context size requested from Ollama: its default of 4,096 silently cuts longer prompts."""


_HOOKS: Mapping[str, list[Any]] = {"response": [read_within_limit]}


@dataclass(frozen=True)
class OwnedClient:
    """A provider's client and its connections: close them when it is no longer used."""

    client: BaseChatModel
    connections: AsyncExitStack


def client_of(choice: ModelChoice) -> OwnedClient:
    """A client for one model; takes seconds the first time, as the provider's library is loaded."""
    match choice.provider:
        case "openai":
            return _openai(choice)
        case "anthropic":
            return _anthropic(choice)
        case "ollama":
            return _ollama(choice)


def _openai(choice: ModelChoice) -> OwnedClient:
    from openai import DefaultAsyncHttpxClient, DefaultHttpxClient

    connections = AsyncExitStack()
    # Nobody asks synchronously, but without a client for it LangChain makes one that stays open.
    unused = DefaultHttpxClient()
    http = DefaultAsyncHttpxClient(timeout=choice.timeout, event_hooks=_HOOKS)
    connections.callback(unused.close)
    connections.push_async_callback(http.aclose)
    client = openai_client()(
        model=choice.name,
        http_client=unused,
        http_async_client=http,
        # Every read has its timeout, so that a dead link needs no probes of the kernel's.
        http_socket_options=(),
        # The client's own watch over silences costs a task for each token; ours is `calls.py`.
        stream_chunk_timeout=None,
        **_options(choice),
    )
    client.async_client = with_plain_chunks(client.async_client, client.root_async_client)
    return OwnedClient(client, connections)


def _anthropic(choice: ModelChoice) -> OwnedClient:
    from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient
    from langchain_anthropic import ChatAnthropic

    connections = AsyncExitStack()
    http = DefaultAsyncHttpxClient(timeout=choice.timeout, event_hooks=_HOOKS)
    connections.push_async_callback(http.aclose)
    client = ChatAnthropic(model_name=choice.name, **_options(choice))
    # LangChain takes no HTTP client here; what it makes when it is first asked is set beforehand.
    vars(client)["_async_client"] = AsyncAnthropic(
        api_key=client.anthropic_api_key.get_secret_value(),
        base_url=client.anthropic_api_url,
        timeout=choice.timeout,
        max_retries=client.max_retries,
        http_client=http,
    )
    return OwnedClient(client, connections)


def _ollama(choice: ModelChoice) -> OwnedClient:
    from langchain_ollama import ChatOllama

    connections = AsyncExitStack()
    client: Any = ChatOllama(
        model=choice.name,
        base_url=choice.base_url,
        num_ctx=OLLAMA_CONTEXT,
        num_predict=MAX_ANSWER_TOKENS,
        temperature=0,
        client_kwargs={"timeout": choice.timeout},
        async_client_kwargs={"event_hooks": {"response": [read_within_limit, _raise_with_headers]}},
    )
    # It makes clients for itself alone, and offers no other way to close them.
    connections.callback(client._client.close)
    connections.push_async_callback(client._async_client.close)
    return OwnedClient(client, connections)


def _options(choice: ModelChoice) -> dict[str, Any]:
    options: dict[str, Any] = {
        "api_key": choice.api_key,
        "timeout": choice.timeout,
        "max_retries": 0,
        "max_tokens": MAX_ANSWER_TOKENS,
        "stream_usage": True,
    }
    return options | ({"base_url": choice.base_url} if choice.base_url else {})


async def _raise_with_headers(response: httpx.Response) -> None:
    """Fail here, with the response at hand: Ollama's own error drops Retry-After."""
    if response.is_error:
        await response.aread()
        response.raise_for_status()
