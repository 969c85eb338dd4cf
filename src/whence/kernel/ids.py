"""Identifiers: UUIDv7 (RFC 9562), so that ids sort by the time they were made."""

from __future__ import annotations

import secrets
import time
from uuid import UUID


def new_id() -> UUID:
    """A UUIDv7: 48 bits of Unix milliseconds, then 74 random bits."""
    millis = time.time_ns() // 1_000_000
    value = (millis & 0xFFFF_FFFF_FFFF) << 80
    value |= 0x7 << 76
    value |= secrets.randbits(12) << 64
    value |= 0b10 << 62
    value |= secrets.randbits(62)
    return UUID(int=value)
