"""The one policy for trying an outside call again, on tenacity.

Three tries with exponential backoff and jitter (a random point in the upper half of the interval,
so that many workers do not come back at the same instant).  It never retries sooner than a
`Retry-After` allows, and gives up if that is more than the caller can wait.  Nested calls share
their tries, so that nothing is tried three times three times.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState

from whence.kernel import metrics
from whence.kernel.clock import now
from whence.kernel.errors import Unavailable

MAX_RETRY_AFTER = 86_400.0
"""Seconds; a `Retry-After` beyond a day is a mistake or an attack."""
T = TypeVar("T")


def is_unavailable(error: BaseException) -> bool:
    """Whether waiting may help: the usual rule for what to try again."""
    return isinstance(error, Unavailable)


async def _wait_for_nothing(_: float) -> None:
    return


@dataclass(frozen=True)
class RetryPolicy:
    """How often to try, and how long to wait in between; times in seconds."""

    max_attempts: int = 3
    """Design, section 7: outside calls are attempted three times, then the run pauses."""
    first_wait: float = 0.5
    """Longest wait before the second attempt; it doubles from there."""
    longest_wait: float = 20.0
    """If a system asks for a longer pause, we stop trying for now and reschedule the run."""

    def attempts(
        self,
        of: str,
        when: Callable[[BaseException], bool] = is_unavailable,
        before_wait: Callable[[float], Awaitable[None]] = _wait_for_nothing,
    ) -> AsyncRetrying:
        """The attempts, for `async for attempt in ...: with attempt:`; the last error is raised.

        `of` names them in the metrics.  `before_wait` receives the seconds before each wait.
        """
        tried = 0

        def may_pass(state: RetryCallState) -> bool:
            nonlocal tried
            if (error := _error(state)) is None:
                return False
            tried += error.attempts if isinstance(error, Unavailable) else 1
            if isinstance(error, Unavailable):
                error.attempts = tried
            return when(error)

        async def announce(state: RetryCallState) -> None:
            await before_wait(state.upcoming_sleep)
            metrics.tried_again(of)

        return AsyncRetrying(
            retry=may_pass,
            stop=lambda state: tried >= self.max_attempts or _asked_wait(state) > self.longest_wait,
            wait=lambda state: self.wait(tried, _asked_wait(state)),
            before_sleep=announce,
            sleep=asyncio.sleep,
            reraise=True,
        )

    def wait(self, tried: int, at_least: float = 0.0) -> float:
        """Seconds to wait after `tried` tries; `at_least` is what the other side asked for."""
        longest = min(self.first_wait * 2 ** (tried - 1), self.longest_wait)
        return at_least + random.uniform(longest / 2, longest)


DEFAULT = RetryPolicy()


async def retry(
    call: Callable[[], Awaitable[T]],
    *,
    of: str = "client",
    policy: RetryPolicy | None = None,
    when: Callable[[BaseException], bool] = is_unavailable,
    before_wait: Callable[[float], Awaitable[None]] = _wait_for_nothing,
) -> T:
    """Call, and retry as the policy says (`RetryPolicy.attempts`).  Raises the last error."""
    async for attempt in (policy or DEFAULT).attempts(of, when, before_wait):
        with attempt:
            return await call()
    raise AssertionError("the tries end with a result or an error")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that an answer asks to wait: `retry-after-ms`, or `Retry-After` (RFC 9110, 10.2.3)
    in seconds or as a date; None where it says nothing that can be read.  Names are lower case.
    """
    millis = _number(headers.get("retry-after-ms", ""))
    if millis is not None:
        return min(millis / 1000, MAX_RETRY_AFTER)
    value = headers.get("retry-after", "").strip()
    seconds = _number(value)
    if seconds is None:
        try:
            until = parsedate_to_datetime(value)
        except (ValueError, TypeError):
            return None
        seconds = (_aware(until) - now()).total_seconds()
    return min(max(seconds, 0.0), MAX_RETRY_AFTER)


def _number(text: str) -> float | None:
    digits = text.strip().replace(".", "", 1)
    return float(text) if digits.isascii() and digits.isdigit() else None


def _aware(time: datetime) -> datetime:
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _error(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None


def _asked_wait(state: RetryCallState) -> float:
    error = _error(state)
    return (error.retry_after if isinstance(error, Unavailable) else None) or 0.0
