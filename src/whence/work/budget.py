"""What work may spend on models, and what a use of one is worth: reserved before, settled after.

The dataclasses lie below the models' own room, so that the ledger of every type of work counts with
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, Protocol

from whence.kernel.settings import Settings

CallOutcome = Literal["ok", "repaired", "fallback", "error"]
Limit = Literal["calls", "tokens", "usd", "seconds"]


@dataclass(frozen=True)
class Spend:
    """An amount of model use: requests, tokens (in and out), US dollars, seconds.

    `usd` is None where the price of the model is not known: unknown, not free.
    """

    calls: int = 0
    tokens: int = 0
    usd: Decimal | None = None
    seconds: float = 0.0

    def __add__(self, other: Spend) -> Spend:
        """Both together; a known amount of money stays known beside an unknown one."""
        return Spend(
            self.calls + other.calls,
            self.tokens + other.tokens,
            _sum(self.usd, other.usd),
            self.seconds + other.seconds,
        )

    def __sub__(self, other: Spend) -> Spend:
        return Spend(
            self.calls - other.calls,
            self.tokens - other.tokens,
            _sum(self.usd, None if other.usd is None else -other.usd),
            self.seconds - other.seconds,
        )


@dataclass(frozen=True)
class Budget:
    """The most that a run may spend on models."""

    calls: int
    tokens: int
    usd: Decimal
    seconds: float

    @classmethod
    def of(cls, settings: Settings) -> Budget:
        """The operator's `WHENCE_BUDGET_*` limits."""
        return cls(
            settings.budget_calls,
            settings.budget_tokens,
            Decimal(str(settings.budget_usd)),
            settings.budget_seconds,
        )

    def refuses(self, spent: Spend, estimate: Spend) -> Limit | None:
        """The limit that `estimate` on top of `spent` would break, or None.

        Money of unknown amount cannot break the money limit; its tokens count all the same.
        """
        after = spent + estimate
        if after.calls > self.calls:
            return "calls"
        if after.tokens > self.tokens:
            return "tokens"
        if after.usd is not None and after.usd > self.usd:
            return "usd"
        if after.seconds > self.seconds or spent.seconds >= self.seconds:
            return "seconds"
        return None


@dataclass(frozen=True)
class CallRecord:
    """One use of a model by a skill or a chat turn: at most one line in the call log.

    It may stand for several requests (`calls`): a repair, or tries after a provider's error.
    """

    skill: str
    model: str
    """`provider:name`."""
    prompt_version: str
    outcome: CallOutcome
    reason: str | None
    """Why it was not a plain success: a code such as `timeout`, `refused`, `invalid`, `budget`."""
    detail: str | None
    """The provider's or the validator's words, secrets masked, at most 300 characters."""
    calls: int
    tokens_in: int
    tokens_out: int
    exact: bool
    """False where a count is our estimate, because an answer never arrived whole."""
    usd: Decimal | None
    latency_ms: int
    reserved: Spend
    """What `reserve` was told for these requests; to be taken back when this is recorded."""

    @property
    def spent(self) -> Spend:
        """What these requests really used."""
        tokens = self.tokens_in + self.tokens_out
        return Spend(self.calls, tokens, self.usd, self.latency_ms / 1000)


class CallLog(Protocol):
    """Where model use is reserved and recorded; one for each run."""

    async def reserve(self, estimate: Spend) -> None:
        """Hold `estimate` back from the budget; raises BudgetExceeded when it does not fit."""
        ...

    async def record(self, call: CallRecord) -> None:
        """Write the call down and replace its reservation by what it really used."""
        ...


def _sum(left: Decimal | None, right: Decimal | None) -> Decimal | None:
    if left is None:
        return right
    return left if right is None else left + right
