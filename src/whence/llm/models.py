"""Which chat model to use, from `WHENCE_MODEL` and `WHENCE_VISION_MODEL` (`provider:name`).

The provider's client is built on first use and in a thread: importing it takes seconds and tens
of megabytes, and many installations run on rules alone.  Its own retries are off, because
`retries.py` is the one place that retries.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

from pydantic import SecretStr

from whence.kernel.errors import Misconfigured
from whence.kernel.settings import Settings
from whence.llm.plain_chunks import with_plain_chunks
from whence.llm.refusing import openai_client

if TYPE_CHECKING:
    import httpx
    from langchain_core.language_models import BaseChatModel

Provider = Literal["openai", "anthropic", "ollama"]
PROVIDERS: tuple[Provider, ...] = get_args(Provider)
KEY_VARIABLE: Mapping[Provider, str] = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
}
MAX_ANSWER_TOKENS = 8_192
"""Longest answer, tokens.  Far above a skill's need; a model that reasons needs room before it."""
OLLAMA_CONTEXT = 16_384
"""Tokens of context asked of Ollama: its default of 4,096 cuts longer prompts without a word."""
_BEFORE_SCHEMA_MODE = re.compile(r"claude-(2|3|instant)|claude-(sonnet|opus)-4-(0$|latest|2025)")
"""Claude models older than Anthropic's JSON schema mode; they answer through a forced tool."""


@dataclass(frozen=True)
class ModelChoice:
    """What is needed to reach one model; `repr` never shows the key."""

    provider: Provider
    name: str
    api_key: SecretStr | None = None
    base_url: str | None = None
    timeout: float = 60.0
    """Seconds that one request may take, or that a stream may be silent."""


class ChatModel:
    """One model at one provider; its client is made when it is first asked."""

    def __init__(self, choice: ModelChoice) -> None:
        self.choice = choice

    @property
    def label(self) -> str:
        """`provider:name`, as it appears in methods, prices and the call log."""
        return f"{self.choice.provider}:{self.choice.name}"

    @property
    def schema_mode(self) -> bool:
        """Whether the model can be held to a JSON schema (else it is through a forced tool)."""
        old = _BEFORE_SCHEMA_MODE.match(self.choice.name) is not None
        return not (self.choice.provider == "anthropic" and old)

    def masked(self, text: str) -> str:
        """`text` without this model's API key and without anything that looks like one."""
        if key := self.choice.api_key:
            text = text.replace(key.get_secret_value(), "***")
        return re.sub(r"\bsk-[\w*\-]{6,}|Bearer\s+\S+", "***", text)

    async def client(self) -> BaseChatModel:
        """The provider's client."""
        if "_client" in vars(self):
            return self._client
        return await asyncio.to_thread(lambda: self._client)

    @cached_property
    def _client(self) -> BaseChatModel:
        from langchain.chat_models import init_chat_model

        if self.choice.provider == "openai":
            # The client's own watch over silences costs a task for each token; ours is `calls.py`.
            options: dict[str, Any] = {**_options(self.choice), "stream_chunk_timeout": None}
            made = openai_client()(model=self.choice.name, **options)
            made.async_client = with_plain_chunks(made.async_client)
            return made
        return init_chat_model(
            self.choice.name, model_provider=self.choice.provider, **_options(self.choice)
        )


@dataclass(frozen=True)
class Models:
    """The models that are configured; without one, skills run on their rules."""

    text: ChatModel | None = None
    vision: ChatModel | None = None


def models_from(settings: Settings) -> Models:
    """The models that the settings name.

    `model_base_url` counts for the vision model too where both have the same provider.
    Raises Misconfigured for an unknown provider, or when the provider's key is not in the
    environment.
    """
    text = _choice("WHENCE_MODEL", settings.model, settings)
    vision = _choice("WHENCE_VISION_MODEL", settings.vision_model, settings)
    if text and vision and text.provider != vision.provider:
        vision = ModelChoice(vision.provider, vision.name, vision.api_key, None, vision.timeout)
    return Models(text and ChatModel(text), vision and ChatModel(vision))


def _choice(variable: str, value: str | None, settings: Settings) -> ModelChoice | None:
    if not value:
        return None
    before, _, name = value.partition(":")
    provider: Provider | None = next((known for known in PROVIDERS if known == before), None)
    if provider is None or not name:
        allowed = ", ".join(f"{known}:NAME" for known in PROVIDERS)
        raise Misconfigured(f"{variable}={value!r} names no known model; write one of {allowed}")
    return ModelChoice(
        provider,
        name,
        _api_key(provider, variable),
        settings.model_base_url,
        settings.model_timeout,
    )


def _api_key(provider: Provider, variable: str) -> SecretStr | None:
    needed = KEY_VARIABLE.get(provider)
    if needed is None:
        return None
    key = os.environ.get(needed, "").strip()
    if not key:
        raise Misconfigured(f"{variable} uses {provider}, which needs an API key in {needed}")
    return SecretStr(key)


def _options(choice: ModelChoice) -> dict[str, Any]:
    if choice.provider == "ollama":
        return {
            "base_url": choice.base_url,
            "num_ctx": OLLAMA_CONTEXT,
            "num_predict": MAX_ANSWER_TOKENS,
            "temperature": 0,
            "client_kwargs": {"timeout": choice.timeout},
            "async_client_kwargs": {"event_hooks": {"response": [_raise_with_headers]}},
        }
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
