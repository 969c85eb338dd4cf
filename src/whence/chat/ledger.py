"""What the model calls of one turn may cost, and their lines in the call log."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from whence.db.database import Database
from whence.llm.budget import Budget, CallRecord, MemoryLog, Spend
from whence.research.ledger import count_call, write_call

NODE = "chat"
"""Stands in the call log where a run would name its node."""


@dataclass
class TurnLedger:
    """The call log of one turn.  A turn is never resumed, so its budget is counted in memory."""

    db: Database
    org_id: UUID
    budget: Budget
    _count: MemoryLog = field(init=False)

    def __post_init__(self) -> None:
        self._count = MemoryLog(self.budget)

    async def reserve(self, estimate: Spend) -> None:
        """Hold `estimate` back; raises BudgetExceeded naming the limit."""
        await self._count.reserve(estimate)

    async def record(self, call: CallRecord) -> None:
        """Write the call down and settle its reservation."""
        await self._count.record(call)
        async with self.db.unit(self.org_id) as session:
            await write_call(session, call, None, NODE)
        count_call(call)
