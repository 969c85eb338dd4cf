"""One model of one provider, and what is needed to reach it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import SecretStr

Provider = Literal["openai", "anthropic", "ollama"]
PROVIDERS: tuple[Provider, ...] = get_args(Provider)


@dataclass(frozen=True)
class ModelChoice:
    """What is needed to reach one model; `repr` never shows the key."""

    provider: Provider
    name: str
    api_key: SecretStr | None = None
    base_url: str | None = None
    timeout: float = 60.0
    """Seconds that one request may take, or that a stream may be silent."""
    answer_characters: int = 40_000
    """The longest answer that is taken."""
