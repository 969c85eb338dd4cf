"""Caches a lane's current dossier with its evidence until something in it changes.

A conversation needs them for every message, and they are a megabyte of JSON that changes once a
month.  So a process keeps recent ones in memory, and asks the database each time, in the caller's
transaction and under its tenant's row security, whether they are still current.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import asdict, dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements
from whence.evidence import dossiers, store
from whence.evidence.records import BundledEvidence
from whence.evidence.wire import DossierAnswer, dossier_answer

MAX_CACHED = 64
"""Dossiers in the memory of one process, about a megabyte each: more than the conversations at one
time."""
CACHE_SECONDS = 600.0
"""How long an unused one stays, so that erased data does not stay in memory either; checked on
every access."""
_STAMP = """
    SELECT d.org_id, d.id, concat_ws(' ', d.xmin, r.flow_version, r.fallback, (
        SELECT concat_ws(' ', count(*), sum(hashtextextended(b.evidence_id || ' ' || b.xmin, 0)))
        FROM whence.bundle_items b WHERE b.org_id = d.org_id AND b.run_id = d.run_id))
    FROM whence.dossiers d JOIN whence.runs r ON r.org_id = d.org_id AND r.id = d.run_id
    WHERE d.is_current AND d.kind = %(kind)s AND d.subject_id = %(subject_id)s
        AND d.flow = %(flow)s AND d.lane = %(lane)s
"""
"""Changes with every write to the dossier's row (saving again rewrites it) or to a judgement of its
evidence; the evidence itself never changes."""


@dataclass(frozen=True)
class Latest:
    """A current dossier and the evidence of its run; callers must not change them."""

    dossier: DossierAnswer
    evidence: tuple[BundledEvidence, ...]


@dataclass
class _CacheEntry:
    stamp: str
    latest: Latest
    asked_at: float


_cache: OrderedDict[tuple[UUID, UUID], _CacheEntry] = OrderedDict()


async def latest(session: AsyncSession, lane: dossiers.Lane) -> Latest | None:
    """The current dossier of a lane with its evidence; None without a dossier."""
    stamped = await statements.row(session, _STAMP, asdict(lane))
    _evict_old()
    if stamped is None:
        return None
    org_id, dossier_id, stamp = stamped
    key = (org_id, dossier_id)
    entry = _cache.pop(key, None)
    if entry is None or entry.stamp != stamp:
        current = await dossiers.current(session, lane)
        if current is None:
            return None
        evidence = tuple(await store.bundle(session, current.run_id))
        entry = _CacheEntry(stamp, Latest(dossier_answer(current), evidence), 0.0)
        key = (org_id, current.id)
    entry.asked_at = time.monotonic()
    _cache[key] = entry
    return entry.latest


def _evict_old() -> None:
    """Move the last used one to the end."""
    while _cache:
        oldest = next(iter(_cache.values()))
        if len(_cache) < MAX_CACHED and time.monotonic() - oldest.asked_at < CACHE_SECONDS:
            return
        _cache.popitem(last=False)
