"""Which chat model to use, from `WHENCE_MODEL` and `WHENCE_VISION_MODEL` (`provider:name`).

The provider's client is built on first use and in a thread: importing it takes seconds and tens
of megabytes, and many installations run on rules alone.  Who makes models closes them.
"""

from __future__ import annotations

import asyncio
import os
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pydantic import SecretStr

from whence.kernel.errors import Misconfigured, Unavailable
from whence.kernel.settings import Settings
from whence.llm.choice import PROVIDERS, ModelChoice, Provider
from whence.llm.clients import OwnedClient, client_of

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

KEY_VARIABLE: Mapping[Provider, str] = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
}
_BEFORE_SCHEMA_MODE = re.compile(r"claude-(2|3|instant)|claude-(sonnet|opus)-4-(0$|latest|2025)")
"""Claude models older than Anthropic's JSON schema mode; they answer through a forced tool."""


class ModelClosed(Unavailable):
    """The model's connections are closed because this process is stopping; ask again elsewhere."""


class ChatModel:
    """One model at one provider; its client is made when it is first asked, until it is closed."""

    def __init__(self, choice: ModelChoice) -> None:
        self.choice = choice
        self._client: OwnedClient | None = None
        self._is_closed = False
        self._making = threading.Lock()

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
        """The provider's client.  Raises ModelClosed after `close`."""
        return (self._client or await asyncio.to_thread(self._make)).client

    async def close(self) -> None:
        """Close the connections, on the event loop that used them; again does nothing."""
        if client := await asyncio.to_thread(self._leave):
            await client.connections.aclose()

    def _make(self) -> OwnedClient:
        with self._making:  # one for all who ask meanwhile
            if self._is_closed:
                raise ModelClosed
            self._client = self._client or client_of(self.choice)
            return self._client

    def _leave(self) -> OwnedClient | None:
        with self._making:  # one that is being made is waited for
            client, self._client, self._is_closed = self._client, None, True
            return client


@dataclass(frozen=True)
class Models:
    """The models that are configured; without one, skills run on their rules."""

    text: ChatModel | None = None
    vision: ChatModel | None = None

    async def close(self) -> None:
        """Close the connections of all of them, on the event loop that used them."""
        for model in (self.text, self.vision):
            if model is not None:
                await model.close()


def models_from(settings: Settings) -> Models:
    """The models that the settings name.

    `model_base_url` counts for the vision model too where both have the same provider.
    Raises Misconfigured for an unknown provider, or when the provider's key is not in the
    environment.
    """
    text = _choice("WHENCE_MODEL", settings.model, settings)
    vision = _choice("WHENCE_VISION_MODEL", settings.vision_model, settings)
    if text and vision and text.provider != vision.provider:
        vision = replace(vision, base_url=None)
    return Models(text and ChatModel(text), vision and ChatModel(vision))


def _choice(variable: str, value: str | None, settings: Settings) -> ModelChoice | None:
    if not value:
        return None
    before, _, name = value.partition(":")
    provider: Provider | None = next((each for each in PROVIDERS if each == before), None)
    if provider is None or not name:
        allowed = ", ".join(f"{each}:NAME" for each in PROVIDERS)
        raise Misconfigured(f"{variable}={value!r} names no known model; write one of {allowed}")
    return ModelChoice(
        provider,
        name,
        _api_key(provider, variable),
        settings.model_base_url,
        settings.model_timeout,
        settings.model_answer_characters,
    )


def _api_key(provider: Provider, variable: str) -> SecretStr | None:
    needed = KEY_VARIABLE.get(provider)
    if needed is None:
        return None
    key = os.environ.get(needed, "").strip()
    if not key:
        raise Misconfigured(f"{variable} uses {provider}, which needs an API key in {needed}")
    return SecretStr(key)
