"""What a finished run leaves behind is kept for a while: its checkpoints, then its events.

Its row, steps, evidence and dossier stay.  Every worker does this; several at once take different
runs, and a run that has not ended is never touched.  Sign-ins and wizards that are over go along
with it, and so do files that no record names.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import LiteralString

from whence.db.database import Database
from whence.kernel.clock import now
from whence.kernel.errors import WhenceError
from whence.kernel.log import get
from whence.kernel.settings import Settings
from whence.kernel.stopping import stop_if_told
from whence.records.files.files import Files, stored_files

BATCH = 100
"""Runs that one transaction cleans up after: some thousand rows, a few milliseconds of locks."""
PERIOD_SECONDS = 600.0
"""Between two looks: short against the days that things are kept, long against a look's cost."""
SIGN_IN_DAYS = 30.0
"""Days that a used or expired sign-in link and a session that is over are kept, for questions about
who was signed in."""
UNNAMED_FILE_DAYS = 1.0
"""Days that a file is kept which no record names (yet)."""
_CHECKPOINTS: LiteralString = "SELECT whence.prune_checkpoints(%(ended_before)s, %(most)s)"
_EVENTS: LiteralString = "SELECT whence.prune_events(%(ended_before)s, %(most)s)"
_SIGN_INS: LiteralString = "SELECT whence.prune_sign_ins(%(ended_before)s, %(most)s)"
_WIZARDS: LiteralString = "SELECT whence.prune_wizards(%(ended_before)s, %(most)s)"
_log = get("research.retention")


@dataclass(frozen=True)
class Pruned:
    """Runs whose checkpoints, and runs whose events, were removed; sign-ins and wizards that are
    over."""

    checkpoints: int
    events: int
    sign_ins: int = 0
    wizards: int = 0
    files: int = 0
    """Files that no record names."""


async def prune(db: Database, settings: Settings, *, batch: int = BATCH) -> Pruned:
    """Remove what is due in every organization, batch by batch.  Raises DatabaseBusy."""
    return Pruned(
        await _prune(db, _CHECKPOINTS, settings.checkpoint_days, batch),
        await _prune(db, _EVENTS, settings.event_days, batch),
        await _prune(db, _SIGN_INS, SIGN_IN_DAYS, batch),
        await _prune(db, _WIZARDS, settings.wizard_days, batch),
        await _prune_files(stored_files(db, settings), batch),
    )


async def prune_forever(db: Database, settings: Settings) -> None:
    """Prune until cancelled; a database that is away is tried again at the next turn."""
    while True:
        # Workers that were started together do not look together.
        await asyncio.sleep(PERIOD_SECONDS * random.uniform(0.5, 1.0))
        stop_if_told()
        try:
            done = await prune(db, settings)
            if done != Pruned(0, 0):
                _log.info("pruned", **asdict(done))
        except WhenceError as error:
            _log.warning("pruning failed, will try again", error=error.message)


async def _prune_files(files: Files, batch: int) -> int:
    kept_before, total = now() - timedelta(days=UNNAMED_FILE_DAYS), 0
    while removed := await files.prune_unnamed(kept_before, batch):
        total += removed
    return total


async def _prune(db: Database, statement: LiteralString, days: float, batch: int) -> int:
    values = {"ended_before": now() - timedelta(days=days), "most": batch}
    total = 0
    while pruned := await db.call(statement, values):
        total += pruned
    return total
