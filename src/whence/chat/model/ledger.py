"""Limits on the cost of model calls in conversations, and their entries in the call log.

Three limits apply: per answer, per conversation, and per day (UTC) for all conversations of the
organization.  The first is counted in memory, as a turn is never resumed; the others in the
database, where they survive restarts and are shared by all processes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from whence.db.database import Database
from whence.kernel.clock import now
from whence.kernel.errors import BudgetExceeded
from whence.kernel.settings import Settings
from whence.llm.budget import Budget, CallRecord, Exchange, MemoryLog, Spend
from whence.work.ledger import LOG_CALL, count_call, line_of

NODE = "chat"
"""The node name of these calls in the call log."""
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
    """This answer reached its cost limit (WHENCE_BUDGET_CALLS, _TOKENS, _USD), so it ends here."""


class ConversationTooCostly(BudgetExceeded):
    """This conversation has reached its cost limit for language models (WHENCE_CHAT_TOKENS,
    WHENCE_CHAT_USD); start a new one."""


class DayTooCostly(BudgetExceeded):
    """Today's conversations have reached their cost limit for language models
    (WHENCE_CHAT_DAY_TOKENS, WHENCE_CHAT_DAY_USD); it resets at midnight UTC."""


class NeverAffordable(BudgetExceeded):
    """A single request to a language model exceeds the cost limit for conversations
    (WHENCE_CHAT_TOKENS, _USD, _DAY_TOKENS, _DAY_USD); ask the operator to raise the limit."""


@dataclass(frozen=True)
class Allowance:
    """What one conversation, and all of an organization in a day, may spend on models."""

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
        """Whether the request would fit into an unused allowance."""
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
    """Why a request was refused, once one was."""
    exchange: Exchange | None = None
    """The last request and its answer, once the use was recorded, if they are to be kept."""
    _count: MemoryLog = field(init=False)
    _scopes: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self._count = MemoryLog(self.budget)
        self._scopes = [f"session {self.session_id}", f"day {now():%Y-%m-%d}"]

    async def reserve(self, estimate: Spend) -> None:
        """Reserve `estimate`.

        Raises AnswerTooCostly, NeverAffordable, ConversationTooCostly or DayTooCostly, and then
        reserves nothing.
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
        """Log the call and settle its reservation."""
        self.exchange = call.exchange
        await self._count.record(call)
        difference = call.spent - call.reserved
        settled = {
            "scopes": self._scopes,
            "tokens": difference.tokens,
            "usd": float(difference.usd or 0),
        }
        log_line = line_of(call, None, NODE)
        await self.db.together(self.org_id, (_SETTLE, settled), (LOG_CALL, log_line))
        count_call(call)
