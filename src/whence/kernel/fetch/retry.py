"""When a request is worth repeating, and how long to wait before it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from whence.kernel.clock import now
from whence.kernel.fetch.errors import FetchError, HostUnavailable, Throttled


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may cost. All times in seconds, sizes in bytes after decompression."""

    connect: float = 5.0
    """Name lookup, connection and TLS."""
    read: float = 10.0
    """Silence between two parts of an answer."""
    total: float = 30.0
    """One try from start to last byte; stops a host that drips a byte at a time."""
    size: int = 5_000_000
    """Enough for 200 rows of any marketplace we read (about 1 MB), and for its errors."""
    redirects: int = 3
    tries: int = 3
    """Design, section 7: outside calls retry three times, then the run pauses."""
    backoff: float = 0.5
    """Longest wait before the second try; doubles from there."""
    longest_wait: float = 20.0
    """A host that wants a longer pause than this is left to the run's own rescheduling."""
    connections: int = 10


MAX_RETRY_AFTER = 86_400.0
"""Seconds; a `Retry-After` beyond a day is a mistake or an attack."""


def wait_before_retry(error: FetchError, attempt: int, limits: Limits) -> float | None:
    """Seconds to wait after failed try number `attempt` (from 1); None: give up now.

    Exponential backoff with jitter (a random point in the upper half of the interval), so that many
    workers do not come back at the same instant; a host's own `Retry-After` goes before it.
    """
    if not isinstance(error, HostUnavailable | Throttled) or attempt >= limits.tries:
        return None
    if error.retry_after is not None:
        return error.retry_after if error.retry_after <= limits.longest_wait else None
    longest = min(limits.backoff * 2 ** (attempt - 1), limits.longest_wait)
    return random.uniform(longest / 2, longest)


def retry_after(header: str | None) -> float | None:
    """Seconds named by a `Retry-After` header (RFC 9110, 10.2.3): a number or an HTTP date."""
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return min(float(text[:9]), MAX_RETRY_AFTER)
    try:
        seconds = (parsedate_to_datetime(text) - now()).total_seconds()
    except (ValueError, TypeError):
        return None
    return min(max(seconds, 0.0), MAX_RETRY_AFTER)
