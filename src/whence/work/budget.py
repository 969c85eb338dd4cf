"""Budgets for model use, and records of it: reserved before a call, settled after it.

These classes are in a layer below `llm`, so that the ledger of every type of work can use them.
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

    `usd` is None if the model's price is unknown; that does not mean free.
    """

    calls: int = 0
    tokens: int = 0
    usd: Decimal | None = None
    seconds: float = 0.0

    def __add__(self, other: Spend) -> Spend:
        """The sum; a known amount of money plus an unknown one is the known amount."""
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
    """The limits of a run's spending on models."""

    calls: int
    tokens: int
    usd: Decimal
    seconds: float

    @classmethod
    def of(cls, settings: Settings) -> Budget:
        """The limits of the settings `WHENCE_BUDGET_*`."""
        return cls(
            settings.budget_calls,
            settings.budget_tokens,
            Decimal(str(settings.budget_usd)),
            settings.budget_seconds,
        )

    def refuses(self, spent: Spend, estimate: Spend) -> Limit | None:
        """The limit that `spent` plus `estimate` would exceed, or None.

        An unknown amount of money cannot exceed the money limit; its tokens still count.
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
class SentMessage:
    """A message as it was sent to a model; of images only their number."""

    role: str
    text: str
    images: int


@dataclass(frozen=True)
class Exchange:
    """The last request of a call and its answer, for people who want to see them."""

    messages: tuple[SentMessage, ...]
    answer: str | None
    """None if no answer came."""
    is_shortened: bool
    """Whether the middle of a long text was left out."""


@dataclass(frozen=True)
class CallRecord:
    """One use of a model by a skill or a chat turn: at most one line in the call log.

    It may cover several requests (`calls`): a repair, or retries after a provider's error.
    """

    skill: str
    model: str
    """`provider:name`."""
    prompt_version: str
    outcome: CallOutcome
    reason: str | None
    """A code such as `timeout`, `refused`, `invalid` or `budget`; None for a plain success."""
    detail: str | None
    """The message of the provider or the validator, secrets masked, at most 300 characters."""
    calls: int
    tokens_in: int
    tokens_out: int
    exact: bool
    """False if a count is an estimate, because an answer did not arrive complete."""
    usd: Decimal | None
    latency_ms: int
    reserved: Spend
    """The amount that `reserve` held for these requests; `record` releases it."""
    exchange: Exchange | None = None
    """What was sent and answered, if this installation keeps that."""

    @property
    def spent(self) -> Spend:
        """The actual use of these requests."""
        tokens = self.tokens_in + self.tokens_out
        return Spend(self.calls, tokens, self.usd, self.latency_ms / 1000)


class CallLog(Protocol):
    """Reserves and records model use; one per run."""

    async def reserve(self, estimate: Spend) -> None:
        """Reserve `estimate` in the budget; raises BudgetExceeded if it does not fit."""
        ...

    async def record(self, call: CallRecord) -> None:
        """Record the call and replace its reservation by its actual use."""
        ...


def _sum(left: Decimal | None, right: Decimal | None) -> Decimal | None:
    if left is None:
        return right
    return left if right is None else left + right
