"""How guessing is slowed down: the arithmetic, without a database.

Each counter is a leaking bucket: a wrong try fills it by one, time empties it.  Below `free`
nothing is slowed.  Above, the pause before the next try doubles with every failure up to `longest`.
Nobody is ever locked out: whoever waits as long as told is answered.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil, log2


@dataclass(frozen=True)
class Bucket:
    """A counter as it was at its last counted try."""

    level: float
    at: datetime
    succeeded_at: datetime | None = None


@dataclass(frozen=True)
class Throttle:
    """How one kind of counter slows down; times in seconds."""

    free: int
    """Failures that cost nothing: people mistype."""
    first: float
    """The first pause."""
    longest: float
    """No pause is longer."""
    forget: float
    """After this long one failure is forgotten."""

    @property
    def most(self) -> float:
        """The level above which nothing rises, so that the pauses end soon after the tries do."""
        return self.free + ceil(log2(self.longest / self.first))

    def level(self, bucket: Bucket | None, at: datetime) -> float:
        """How full the bucket is at this time."""
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
        """Seconds that have to lie between two tries at this level."""
        failures = ceil(self.level(bucket, at))
        if failures < self.free:
            return 0.0
        return min(self.longest, self.first * 2 ** (failures - self.free))


DEVICE = Throttle(free=5, first=1, longest=60, forget=600)
"""A browser that was signed in to this account before: only its own tries slow it."""
PAIR = Throttle(free=5, first=1, longest=60, forget=600)
"""One account from one address: 144 guesses a day in the long run."""
ADDRESS = Throttle(free=30, first=1, longest=10, forget=60)
"""One address, whatever the account: a whole office may be behind it, so later and shorter."""
ACCOUNT = Throttle(free=10, first=1, longest=300, forget=600)
"""One account, from wherever: many addresses that share the guessing.  It holds only where nobody
of the account was ever signed in, and its pause is counted from one's own last try, so that the
tries of others can make it five minutes and no more."""
KNOWN_FOR = timedelta(days=30)
"""How long an address counts as known after a sign-in from it."""


@dataclass(frozen=True)
class Counters:
    """Everything that is known when somebody tries to sign in."""

    pair: Bucket | None = None
    address: Bucket | None = None
    account: Bucket | None = None
    device: Bucket | None = None
    is_known_device: bool = False


def wait(counters: Counters, at: datetime) -> float:
    """Seconds until a try may be made; 0 when now.

    A known device is slowed by its own failures only, so by 60 seconds at most, whatever others do.
    From a known address it is the failures from there; elsewhere the account's add to them.
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
