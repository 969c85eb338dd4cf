"""The budget and call log of work, in the database: fenced, and continued when the work resumes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements
from whence.db.database import Database
from whence.db.statements import storable, storable_text
from whence.events import log
from whence.events.types import JobNotice
from whence.kernel import metrics
from whence.kernel.clock import now
from whence.kernel.errors import BudgetExceeded
from whence.kernel.ids import new_id
from whence.work.attempt import Attempt
from whence.work.budget import Budget, CallRecord, Exchange, Spend

_SPENT = text("""
    SELECT spent_calls, spent_tokens, spent_usd, spent_seconds FROM whence.work WHERE id = :run
""")
_ADD = text("""
    UPDATE whence.work SET spent_calls = spent_calls + :calls,
        spent_tokens = spent_tokens + :tokens, spent_usd = spent_usd + :usd WHERE id = :run
""")
LOG_CALL = """
    INSERT INTO whence.model_calls (org_id, id, run_id, node, skill, model, prompt_version, outcome,
        reason, detail, calls, is_exact, tokens_in, tokens_out, usd, latency_ms, at)
    VALUES (whence.current_org(), %(id)s, %(run)s, %(node)s, %(skill)s, %(model)s,
        %(prompt_version)s, %(outcome)s, %(reason)s, %(detail)s, %(calls)s, %(is_exact)s,
        %(tokens_in)s, %(tokens_out)s, %(usd)s, %(latency_ms)s, %(at)s)
"""
"""Writes a line of `line_of`; runs directly through the driver."""
_KEEP = """
    INSERT INTO whence.model_exchanges (call_id, run_id, messages, answer, is_shortened, at)
    VALUES (%(call)s, %(run)s, %(messages)s, %(answer)s, %(is_shortened)s, %(at)s)
"""
_UNPRICED = text("""
    UPDATE whence.work SET unpriced = true WHERE id = :run AND NOT unpriced RETURNING id
""")
UNPRICED = (
    "The price of the model is not known, so WHENCE_BUDGET_USD does not limit this run; the limits "
    "on calls and tokens still apply. Add the price to prices.toml in WHENCE_HOME."
)


@dataclass(frozen=True)
class Ledger:
    """The call log of one attempt, or of one `node` of it.

    A reservation counts at once and is settled after the call.  After a crash in between it stays
    counted, so resuming does not start a new budget.  It covers the longest possible answer, so
    work can exceed its budget only by the error of the prompt's estimate.
    """

    attempt: Attempt
    node: str
    budget: Budget

    async def reserve(self, estimate: Spend) -> None:
        """Reserve `estimate`; raises BudgetExceeded, which names the limit, or StaleAttempt."""
        run = {"run": self.attempt.work_id}
        async with self.attempt.fenced() as session:
            calls, tokens, usd, seconds = (await session.execute(_SPENT, run)).one()
            spent = Spend(calls, tokens, Decimal(str(usd)), seconds)
            if limit := self.budget.refuses(spent, estimate):
                raise BudgetExceeded(f"The budget of {limit} is used up.", limit=limit)
            await session.execute(_ADD, run | _amounts(estimate))
            unlimited = estimate.usd is None and estimate.calls and self.budget.usd.is_finite()
            if unlimited and (await session.execute(_UNPRICED, run)).one_or_none():
                await log.append(session, self.attempt.work_id, JobNotice(notice=UNPRICED))

    async def record(self, call: CallRecord) -> None:
        """Record the call and replace its reservation by its actual use."""
        difference = call.spent - call.reserved
        async with self.attempt.fenced() as session:
            await session.execute(_ADD, {"run": self.attempt.work_id} | _amounts(difference))
            line = line_of(call, self.attempt.work_id, self.node)
            await statements.rows(session, LOG_CALL, line)
            if call.exchange is not None:
                await _keep(session, line, call.exchange)
        count_call(call)


async def _keep(session: AsyncSession, line: Mapping[str, object], exchange: Exchange) -> None:
    """Store what was sent and answered beside the call's line in the log."""
    messages = [asdict(message) for message in exchange.messages]
    values = {
        "call": line["id"],
        "run": line["run"],
        "messages": statements.as_json(storable(messages)),
        "answer": exchange.answer and storable_text(exchange.answer),
        "is_shortened": exchange.is_shortened,
        "at": line["at"],
    }
    await statements.rows(session, _KEEP, values)


@dataclass(frozen=True)
class SingleCalls:
    """The call log of calls outside runs and conversations, such as a test of a model.

    It has no budget: whoever makes such a call limits how often.
    """

    db: Database
    org_id: UUID
    node: str

    async def reserve(self, estimate: Spend) -> None:
        """Reserve nothing."""

    async def record(self, call: CallRecord) -> None:
        """Log the call."""
        await self.db.together(self.org_id, (LOG_CALL, line_of(call, None, self.node)))
        count_call(call)


def line_of(call: CallRecord, run_id: UUID | None, node: str) -> dict[str, object]:
    """The call log's line for a model use; outside a run, `node` names the caller."""
    return {
        "id": new_id(),
        "run": run_id,
        "node": node,
        "skill": call.skill,
        "model": call.model,
        "prompt_version": call.prompt_version,
        "outcome": call.outcome,
        "reason": call.reason,
        # Text from outside.
        "detail": call.detail and storable_text(call.detail),
        "calls": call.calls,
        "is_exact": call.exact,
        "tokens_in": call.tokens_in,
        "tokens_out": call.tokens_out,
        "usd": float(call.usd) if call.usd is not None else None,
        "latency_ms": call.latency_ms,
        "at": now(),
    }


def count_call(call: CallRecord) -> None:
    """Count a model use in this process's metrics."""
    usd = float(call.usd) if call.usd is not None else None
    metrics.model_used(call.model, call.outcome, call.calls, call.tokens_in, call.tokens_out, usd)


def _amounts(spend: Spend) -> dict[str, float]:
    return {"calls": spend.calls, "tokens": spend.tokens, "usd": float(spend.usd or 0)}
