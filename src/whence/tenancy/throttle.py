"""The arithmetic of throttling, without a database.

Each counter is a leaky bucket: a failed attempt adds one, time drains it.  Below `free` nothing is
slowed.  Above, the pause before the next attempt doubles with every failure up to `longest`. Nobody
is ever locked out: after the stated wait every attempt is answered.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil, log2


@dataclass(frozen=True)
class Bucket:
    """A counter at its last counted attempt."""

    level: float
    at: datetime
    succeeded_at: datetime | None = None


@dataclass(frozen=True)
class Throttle:
    """How one kind of counter slows attempts; times in seconds."""

    free: int
    """Failures without a pause: people mistype."""
    first: float
    """The first pause."""
    longest: float
    """No pause is longer."""
    forget: float
    """Time after which one failure is forgotten."""

    @property
    def most(self) -> float:
        """The maximum level, so that pauses end soon after the attempts do."""
        return self.free + ceil(log2(self.longest / self.first))

    def level(self, bucket: Bucket | None, at: datetime) -> float:
        """The bucket's level at this time."""
        if bucket is None:
            return 0.0
        # Tries at once are counted in another order than they came: none of them is in the future.
        passed = max(0.0, (at - bucket.at).total_seconds())
        return max(0.0, bucket.level - passed / self.forget)

    def filled(self, bucket: Bucket | None, at: datetime) -> Bucket:
        """The bucket after one more failure."""
        level = min(self.most, self.level(bucket, at) + 1)
        return Bucket(level, at, bucket.succeeded_at if bucket else None)

    def pause(self, bucket: Bucket | None, at: datetime) -> float:
        """Seconds required between two attempts at this level."""
        failures = ceil(self.level(bucket, at))
        if failures < self.free:
            return 0.0
        return min(self.longest, self.first * 2 ** (failures - self.free))


DEVICE = Throttle(free=5, first=1, longest=60, forget=600)
"""A browser that was signed in to this account before: only its own attempts slow it."""
PAIR = Throttle(free=5, first=1, longest=60, forget=600)
"""One account from one address: 144 guesses a day in the long run."""
ADDRESS = Throttle(free=30, first=1, longest=10, forget=60)
"""One address, for all accounts: a whole office may share it, so it slows later and less."""
ACCOUNT = Throttle(free=10, first=1, longest=300, forget=600)
"""One account, from all addresses, against distributed guessing.  It applies only to addresses that
were never signed in to the account, and its pause counts from one's own last attempt, so that other
people's attempts can cost five minutes at most."""
KNOWN_FOR = timedelta(days=30)
"""How long an address counts as known after a sign-in from it."""


@dataclass(frozen=True)
class Counters:
    """All counters and times that matter for an attempt."""

    pair: Bucket | None = None
    address: Bucket | None = None
    account: Bucket | None = None
    device: Bucket | None = None
    is_known_device: bool = False


def wait(counters: Counters, at: datetime) -> float:
    """Seconds until an attempt is allowed; 0 if it is now.

    A known device is slowed only by its own failures, so by at most 60 seconds, whatever others do.
    From a known address only the failures from there count; elsewhere the account's count too.
    """
    if counters.is_known_device:
        return _rest(DEVICE.pause(counters.device, at), counters.device, at)
    own = _rest(PAIR.pause(counters.pair, at), counters.pair, at)
    shared = _rest(ADDRESS.pause(counters.address, at), counters.address, at)
    if _is_known(counters.pair, at):
        return max(own, shared)
    pressure = ACCOUNT.pause(counters.account, at)
    return max(own, shared, _rest(pressure, counters.pair or Bucket(0, at), at))


def _is_known(pair: Bucket | None, at: datetime) -> bool:
    return bool(pair and pair.succeeded_at and at - pair.succeeded_at < KNOWN_FOR)


def _rest(pause: float, since: Bucket | None, at: datetime) -> float:
    if pause <= 0 or since is None:
        return 0.0
    return max(0.0, pause - (at - since.at).total_seconds())
