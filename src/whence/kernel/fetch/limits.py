"""Limits of one request, and how often it is tried."""

from __future__ import annotations

from dataclasses import dataclass, field

from whence.kernel.retry import RetryPolicy


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
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    connections: int = 10
