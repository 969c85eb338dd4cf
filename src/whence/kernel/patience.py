"""Three tries for what an outside system may give a moment later, where its client makes none.

The HTTP client and the models' client have their own (they know what a host asked for); a caller
that goes through either counts their tries, so that nothing is tried three times three times.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from whence.kernel import metrics
from whence.kernel.errors import Unavailable

TRIES = 3
"""Design, section 7: outside calls retry three times, then the run pauses."""
FIRST_WAIT_SECONDS = 0.5
"""Longest wait before the second try; doubles from there."""
LONGEST_WAIT_SECONDS = 20.0
"""A system that wants a longer pause than this is left to the run's own rescheduling."""

T = TypeVar("T")


async def patiently(ask: Callable[[], Awaitable[T]]) -> T:
    """Ask, and ask again after Unavailable, with exponential backoff and jitter (a random point in
    the upper half of the interval); raises the last Unavailable.
    """
    tried = 0
    while True:
        try:
            return await ask()
        except Unavailable as error:
            tried += error.tries
            wait = _wait(tried, error.retry_after)
            error.tries = tried
            if wait is None:
                raise
        metrics.tried_again("client")
        await asyncio.sleep(wait)


def _wait(tried: int, asked_for: float | None) -> float | None:
    """Seconds before the next try; None: give up now."""
    if tried >= TRIES:
        return None
    if asked_for is not None:
        return asked_for if asked_for <= LONGEST_WAIT_SECONDS else None
    longest = FIRST_WAIT_SECONDS * 2 ** (tried - 1)
    return random.uniform(longest / 2, longest)
