"""Throttles sign-in attempts by counters in the database, shared by all API processes.

An attempt is counted as a failure before its password is checked, and uncounted if it was right:
concurrent attempts cannot slip through between check and count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from ipaddress import IPv6Address, ip_address
from math import ceil
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.kernel.clock import now
from whence.kernel.errors import TooMany
from whence.tenancy.refreshing import Refresh
from whence.tenancy.secret import hashed
from whence.tenancy.throttle import ACCOUNT, ADDRESS, DEVICE, PAIR, Bucket, Counters, Throttle, wait

IPV6_PREFIX = 64
"""Bits of the smallest network a subscriber is given (RFC 6177), so one guesser is one counter."""
_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))")
_SHOW = text("SELECT set_config('whence.try_keys', :keys, true)")
_READ = text("SELECT key, level, at, succeeded_at FROM whence.sign_in_tries WHERE key = ANY(:keys)")
_WRITE = text("""
    INSERT INTO whence.sign_in_tries (key, level, at, succeeded_at)
    VALUES (:key, :level, :at, :succeeded)
    ON CONFLICT (key) DO UPDATE SET level = :level, at = :at, succeeded_at = :succeeded
""")
_DEVICE = text("SELECT whence.known_device(:family, :email)")
_FORGET = text("SELECT whence.forget_tries()")


class TooManyTries(TooMany):
    """Too many sign-in attempts; wait for the stated time, then try again."""


@dataclass(frozen=True)
class Attempt:
    """One counted attempt: the keys of its counters."""

    pair: bytes
    address: bytes
    account: bytes
    device: bytes | None

    @property
    def keys(self) -> list[bytes]:
        """All keys, in the same order for everybody, to avoid deadlocks."""
        return sorted({self.pair, self.address, self.account, self.device or self.pair})


async def count(db: Database, email: str, address: str, device: str | None = None) -> Attempt:
    """Count an attempt; raises TooManyTries with the seconds to wait.

    `device` is a refresh secret this browser once received, valid or not.
    """
    at = now()
    async with db.unit(None) as session:
        attempt = Attempt(
            pair=hashed(f"pair\n{email}\n{_net(address)}"),
            address=hashed(f"address\n{_net(address)}"),
            account=hashed(f"account\n{email}"),
            device=await _device_digest(session, email, device),
        )
        seconds, buckets = counted(await _opened(session, attempt), attempt, at)
        await _write(session, buckets)
    if seconds > 0:
        raise TooManyTries(retry_after=ceil(seconds))
    return attempt


async def forgive(db: Database, attempt: Attempt) -> None:
    """The attempt was right: reset its own counters, and uncount it in the shared ones."""
    at = now()
    async with db.unit(None) as session:
        await _write(session, forgiven(await _opened(session, attempt), attempt, at))
        await session.execute(_FORGET)


def counted(
    buckets: Mapping[bytes, Bucket], attempt: Attempt, at: datetime
) -> tuple[float, Mapping[bytes, Bucket]]:
    """Seconds to wait (0: go ahead), and the new counters."""
    counters = Counters(
        pair=buckets.get(attempt.pair),
        address=buckets.get(attempt.address),
        account=buckets.get(attempt.account),
        device=buckets.get(attempt.device) if attempt.device else None,
        is_known_device=attempt.device is not None,
    )
    seconds = wait(counters, at)
    if seconds <= 0:
        return 0.0, {
            k: throttle.filled(buckets.get(k), at) for k, throttle in _throttles(attempt).items()
        }
    if attempt.device is None and counters.pair is None:
        # Its place in time: whoever comes from somewhere new waits from now on, and not longer.
        return seconds, {attempt.pair: Bucket(0, at)}
    return seconds, {}


def forgiven(
    buckets: Mapping[bytes, Bucket], attempt: Attempt, at: datetime
) -> Mapping[bytes, Bucket]:
    """The counters after a correct password."""
    changed: dict[bytes, Bucket] = {}
    for key, throttle in _throttles(attempt).items():
        before = buckets.get(key)
        if key in (attempt.pair, attempt.device):
            changed[key] = Bucket(0, at, succeeded_at=at)
        elif before is not None:
            level = max(0.0, throttle.level(before, at) - 1)
            changed[key] = Bucket(level, at, before.succeeded_at)
    return changed


def _throttles(attempt: Attempt) -> Mapping[bytes, Throttle]:
    if attempt.device is not None:
        return {attempt.device: DEVICE}
    return {attempt.pair: PAIR, attempt.address: ADDRESS, attempt.account: ACCOUNT}


async def _opened(session: AsyncSession, attempt: Attempt) -> dict[bytes, Bucket]:
    for key in attempt.keys:
        await session.execute(_LOCK, {"key": key.hex()})
    await session.execute(_SHOW, {"keys": ",".join(key.hex() for key in attempt.keys)})
    rows = (await session.execute(_READ, {"keys": attempt.keys})).all()
    return {bytes(key): Bucket(level, at, succeeded) for key, level, at, succeeded in rows}


async def _write(session: AsyncSession, buckets: Mapping[bytes, Bucket]) -> None:
    for key, bucket in buckets.items():
        values = {"key": key, "level": bucket.level, "at": bucket.at}
        await session.execute(_WRITE, values | {"succeeded": bucket.succeeded_at})


async def _device_digest(session: AsyncSession, email: str, device: str | None) -> bytes | None:
    secret = Refresh.parsed(device) if device else None
    if secret is None:
        return None
    family: UUID | None = await session.scalar(
        _DEVICE, {"family": hashed(secret.family), "email": email}
    )
    return hashed(f"device\n{family}") if family else None


def _net(address: str) -> str:
    """The address, or for IPv6 its network, whose owner has 2^64 addresses."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return f"{IPv6Address(int(parsed) >> (128 - IPV6_PREFIX) << (128 - IPV6_PREFIX))}/64"
    return str(parsed)
