"""One reading of everything that can go wrong between us and a model provider."""

from __future__ import annotations

import contextlib
import importlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Literal

from whence.kernel.errors import Unavailable
from whence.kernel.retry import retry_after
from whence.llm.choice import Provider
from whence.llm.models import ChatModel

Reason = Literal[
    "rate_limited",
    "server_error",
    "timeout",
    "connection",
    "rejected",
    "key_refused",
    "refused",
    "truncated",
    "interrupted",
    "empty",
    "invalid",
    "malformed",
]
RETRYABLE: frozenset[Reason] = frozenset(
    {"rate_limited", "server_error", "timeout", "connection", "interrupted"}
)
_OVERLOADED = frozenset({408, 409, 425, 429, 529})
"""Statuses that ask to come again; 529 is Anthropic's "overloaded"."""
_KEY_REFUSED = frozenset({401, 403})
DETAIL_LENGTH = 300


class ModelFailed(Unavailable):
    """The model gave no usable answer; the rules answer instead."""

    def __init__(
        self,
        reason: Reason,
        detail: str | None = None,
        *,
        retry_after: float | None = None,
        tokens: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(f"The model gave no usable answer ({reason})", retry_after=retry_after)
        self.reason: Reason = reason
        self.detail = detail
        self.tokens = tokens
        """(in, out) as the provider counted them, where it did."""


@cache
def client_errors(provider: Provider) -> tuple[type[Exception], ...]:
    """What the provider's client raises, with what its HTTP library and parsing let through.

    The client of a server that answers with something else than its own format fails with plain
    Python errors, hence the last row.
    """
    named = {
        "openai": ("openai.OpenAIError", "httpx2.HTTPError", "httpx2.StreamError"),
        "anthropic": ("anthropic.AnthropicError", "httpx2.HTTPError", "httpx2.StreamError"),
        "ollama": ("ollama.ResponseError", "ollama.RequestError"),
    }[provider]
    errors: list[type[Exception]] = []
    for name in (*named, "httpx.HTTPError", "httpx.StreamError"):
        module, _, attribute = name.rpartition(".")
        errors.append(getattr(importlib.import_module(module), attribute))
    return (*errors, OSError, ValueError, TypeError, KeyError, AttributeError, IndexError)


def failure_of(error: Exception, model: ChatModel) -> ModelFailed:
    """What `error`, raised by the client of `model`, means for us."""
    response: object = getattr(error, "response", None)
    reason = _reason(error, _status(error, response))
    detail = model.masked(_words(error, response))[:DETAIL_LENGTH]
    wait = retry_after(_headers(response)) if reason in _MAY_NAME_A_TIME else None
    return ModelFailed(reason, detail, retry_after=wait, tokens=_completion_tokens(error))


_BY_NAME: Mapping[str, Reason] = {
    # The OpenAI client raises for these answers, where the others return them.
    "LengthFinishReasonError": "truncated",
    "ContentFilterFinishReasonError": "refused",
    # An error inside a stream, or of Ollama, that carries no status.
    "APIError": "server_error",
    "ResponseError": "server_error",
}
_MAY_NAME_A_TIME: frozenset[Reason] = frozenset({"rate_limited", "server_error"})


def is_passing(error: BaseException) -> bool:
    """Whether the same request may succeed a moment later."""
    return isinstance(error, ModelFailed) and error.reason in RETRYABLE


def _reason(error: Exception, status: int | None) -> Reason:
    name = type(error).__name__
    reason: Reason = "connection"
    if name in _BY_NAME and not (name == "ResponseError" and status):
        reason = _BY_NAME[name]
    elif isinstance(error, TimeoutError) or "Timeout" in name:
        reason = "timeout"
    elif status in _KEY_REFUSED:
        reason = "key_refused"
    elif status in _OVERLOADED:
        reason = "rate_limited"
    elif status is not None and status >= 400:
        reason = "server_error" if status >= 500 else "rejected"
    elif isinstance(error, (ValueError, TypeError, KeyError, AttributeError, IndexError)):
        reason = "malformed"
    return reason


def _status(error: Exception, response: object) -> int | None:
    for holder in (error, response):
        status: object = getattr(holder, "status_code", None)
        if isinstance(status, int) and status > 0:
            return status
    return None


def _headers(response: object) -> Mapping[str, str]:
    headers: object = getattr(response, "headers", None)
    if not isinstance(headers, Mapping):
        return {}
    return {str(key).lower(): str(value) for key, value in headers.items()}


def _words(error: Exception, response: object) -> str:
    body: object = None
    with contextlib.suppress(RuntimeError, ValueError):
        body = getattr(response, "text", None)
    if isinstance(body, str) and body.lstrip().startswith("{"):
        with contextlib.suppress(json.JSONDecodeError, AttributeError):
            message: object = json.loads(body).get("error")
            message = message.get("message") if isinstance(message, dict) else message
            if isinstance(message, str):
                return f"{type(error).__name__}: {message}"
    return f"{type(error).__name__}: {error}"


def _completion_tokens(error: Exception) -> tuple[int, int] | None:
    usage: object = getattr(getattr(error, "completion", None), "usage", None)
    tokens = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
    if isinstance(tokens[0], int) and isinstance(tokens[1], int):
        return tokens[0], tokens[1]
    return None
