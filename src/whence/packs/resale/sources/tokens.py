"""Access tokens: fetched once, shared, and replaced shortly before they expire or when refused."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from whence.sdk.http import AccessDenied, CredentialsRefused, FetchError, MalformedBody

_MARGIN = 60.0
"""Seconds before its expiry when a token is no longer used; a request may take that long."""
_LONGEST = 86_400.0
"""Maximum lifetime in seconds; documented tokens last at most 2 hours (eBay)."""

T = TypeVar("T")


class Token(BaseModel):
    """An OAuth 2.0 token answer (RFC 6749, 5.1)."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    access_token: str = Field(min_length=1, max_length=20_000, repr=False)
    expires_in: float = Field(gt=0, allow_inf_nan=False)


def read_token(body: JsonValue, host: str) -> Token:
    """The token in a response; raises `MalformedBody` (without the body) if there is none."""
    try:
        return Token.model_validate(body)
    except ValidationError:
        # The validator's message would repeat the response, including a token.
        raise MalformedBody(f"{host} sent no usable access token.", host=host) from None


class AccessTokens:
    """The current token of an account, requested when needed, by one caller at a time."""

    def __init__(self, mint: Callable[[], Awaitable[Token]]) -> None:
        self._mint = mint
        self._lock = asyncio.Lock()
        self._value = ""
        self._ends = 0.0

    async def use(
        self,
        call: Callable[[str], Awaitable[T]],
        *,
        expired: Callable[[FetchError], bool] = lambda _: False,
    ) -> T:
        """Run `call` with a token; if the token is refused (401), once more with a new one.

        `expired` recognizes a host's other response to an expired token.  A second refusal is
        raised.
        """
        token = await self._current(refused=None)
        try:
            return await call(token)
        except CredentialsRefused:
            pass
        except AccessDenied as error:
            if not expired(error):
                raise
        return await call(await self._current(refused=token))

    async def _current(self, *, refused: str | None) -> str:
        async with self._lock:
            if self._value == refused or time.monotonic() >= self._ends:
                token = await self._mint()
                self._value = token.access_token
                self._ends = time.monotonic() + min(token.expires_in, _LONGEST) - _MARGIN
            return self._value
