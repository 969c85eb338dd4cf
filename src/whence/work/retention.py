"""Retention: each part of the program declares its rules, and every worker applies them.

A rule removes rows in batches, each in its own transaction; concurrent workers remove different
rows.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import LiteralString

from whence.db.database import Database
from whence.kernel.clock import now
from whence.kernel.errors import WhenceError
from whence.kernel.log import get
from whence.kernel.stopping import stop_if_cancelled

BATCH = 100
"""Units removed per transaction: a few thousand rows, locked for some milliseconds."""
PERIOD_SECONDS = 600.0
"""Time between two passes: short compared with retention in days, long compared with a pass."""
Remove = Callable[[datetime, int], Awaitable[int]]
"""`remove(before, most)` removes at most `most` units that ended before `before`; returns how many.
"""
_log = get("work.retention")


@dataclass(frozen=True)
class Retention:
    """One rule: what is removed how many days after it ended."""

    name: str
    days: float
    remove: Remove


def by_function(db: Database, name: str, days: float, function: LiteralString) -> Retention:
    """A rule whose rows an SQL function removes, in all organizations."""
    statement: LiteralString = f"SELECT whence.{function}(%(before)s, %(most)s)"

    async def remove(before: datetime, most: int) -> int:
        return await db.call(statement, {"before": before, "most": most})

    return Retention(name, days, remove)


async def prune(rules: Sequence[Retention], *, batch: int = BATCH) -> Mapping[str, int]:
    """Remove what is due, batch by batch; returns the number per rule.  Raises DatabaseBusy."""
    return {rule.name: await _prune(rule, batch) for rule in rules}


async def prune_forever(rules: Sequence[Retention]) -> None:
    """Prune until cancelled; a rule that fails is tried again at the next pass."""
    while True:
        # Spread out workers that were started together.
        await asyncio.sleep(PERIOD_SECONDS * random.uniform(0.5, 1.0))
        stop_if_cancelled()
        for rule in rules:
            await _try(rule)


async def _try(rule: Retention) -> None:
    try:
        if pruned := await _prune(rule, BATCH):
            _log.info("pruned", rule=rule.name, pruned=pruned)
    except WhenceError as error:
        _log.warning("pruning failed, will try again", rule=rule.name, error=error.message)
    except Exception as error:  # noqa: BLE001 (the edge of a task: other rules and turns continue)
        _log.error("pruning failed, will try again", rule=rule.name, exc_info=error)
    stop_if_cancelled()


async def _prune(rule: Retention, batch: int) -> int:
    before, total = now() - timedelta(days=rule.days), 0
    while removed := await rule.remove(before, batch):
        total += removed
    return total
