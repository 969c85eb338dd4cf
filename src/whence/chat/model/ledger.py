"""What the model calls of conversations may cost, and their lines in the call log.

Three limits hold at once: of one answer, of its conversation, and of all conversations of the
organization in a day (UTC).  The first is counted in memory, as a turn is never resumed; the others
in the database, where processes and restarts share them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from whence.db.database import Database
from whence.kernel.clock import now
from whence.kernel.errors import BudgetExceeded
from whence.kernel.settings import Settings
from whence.llm.budget import Budget, CallRecord, MemoryLog, Spend
from whence.work.ledger import LOG_CALL, count_call, line_of

NODE = "chat"
"""Stands in the call log where a run would name its node."""
_RESERVE = """
    SELECT whence.reserve_chat(%(org)s::uuid, %(scopes)s::text[], %(tokens)s::bigint,
        %(usd)s::float8, %(most_tokens)s::bigint[], %(most_usd)s::float8[])
"""
_SETTLE = """
    UPDATE whence.chat_spending
    SET tokens = tokens + %(tokens)s::bigint, usd = usd + %(usd)s::float8
    WHERE scope = ANY(%(scopes)s::text[])
"""


class AnswerTooCostly(BudgetExceeded):
    """This answer reached the limit of what one may cost (WHENCE_BUDGET_CALLS, _TOKENS, _USD), so
    it ends here."""


class ConversationTooCostly(BudgetExceeded):
    """This conversation has reached the limit of what one may cost with a language model
    (WHENCE_CHAT_TOKENS, WHENCE_CHAT_USD); begin another one."""


class DayTooCostly(BudgetExceeded):
    """The conversations of today have reached the limit of what they may cost with a language model
    (WHENCE_CHAT_DAY_TOKENS, WHENCE_CHAT_DAY_USD); it begins anew at midnight UTC."""


class NeverAffordable(BudgetExceeded):
    """One request to a language model is more than conversations may cost here
    (WHENCE_CHAT_TOKENS, _USD, _DAY_TOKENS, _DAY_USD); ask whoever runs whence to raise that."""


@dataclass(frozen=True)
class Allowance:
    """The most that one conversation, and all of an organization in a day, may spend on models."""

    tokens: int
    usd: float
    day_tokens: int
    day_usd: float

    @classmethod
    def of(cls, settings: Settings) -> Allowance:
        """The operator's `WHENCE_CHAT_*` limits."""
        return cls(
            settings.chat_tokens, settings.chat_usd, settings.chat_day_tokens, settings.chat_day_usd
        )

    def could_hold(self, estimate: Spend) -> bool:
        """Whether a request fits at all: then another conversation, or another day, helps."""
        usd = float(estimate.usd or 0)
        tokens = estimate.tokens
        return tokens <= min(self.tokens, self.day_tokens) and usd <= min(self.usd, self.day_usd)


@dataclass
class TurnLedger:
    """The call log of one turn."""

    db: Database
    org_id: UUID
    session_id: UUID
    budget: Budget
    allowance: Allowance
    refusal: BudgetExceeded | None = None
    """Why a request was not made, once one was not."""
    _count: MemoryLog = field(init=False)
    _scopes: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self._count = MemoryLog(self.budget)
        self._scopes = [f"session {self.session_id}", f"day {now():%Y-%m-%d}"]

    async def reserve(self, estimate: Spend) -> None:
        """Hold `estimate` back.

        Raises AnswerTooCostly, NeverAffordable, ConversationTooCostly or DayTooCostly, and then
        holds nothing.
        """
        if limit := self.budget.refuses(self._count.spent + self._count.held, estimate):
            self.refusal = AnswerTooCostly(limit=limit)
            raise self.refusal
        allowed = self.allowance
        if not allowed.could_hold(estimate):
            self.refusal = NeverAffordable()
            raise self.refusal
        values = {
            "org": self.org_id,
            "scopes": self._scopes,
            "tokens": estimate.tokens,
            "usd": float(estimate.usd or 0),
            "most_tokens": [allowed.tokens, allowed.day_tokens],
            "most_usd": [allowed.usd, allowed.day_usd],
        }
        broken: int | None = await self.db.call(_RESERVE, values)
        if broken is not None:
            self.refusal = (ConversationTooCostly, DayTooCostly)[broken - 1]()
            raise self.refusal
        await self._count.reserve(estimate)

    async def record(self, call: CallRecord) -> None:
        """Write the call down and settle its reservation."""
        await self._count.record(call)
        difference = call.spent - call.reserved
        settled = {
            "scopes": self._scopes,
            "tokens": difference.tokens,
            "usd": float(difference.usd or 0),
        }
        written = line_of(call, None, NODE)
        await self.db.together(self.org_id, (_SETTLE, settled), (LOG_CALL, written))
        count_call(call)
