"""The result of an earlier run, for a run that builds on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.evidence import dossiers, store
from whence.evidence.dossiers import Lane
from whence.evidence.records import BundledEvidence
from whence.kernel.errors import NotReady
from whence.research.run_type import RunType


class NothingToBuildOn(NotReady):
    """This type of run builds on earlier research of the whole record, and there is none; request
    another type first, such as the flow's first one.
    """


@dataclass(frozen=True)
class EarlierRun:
    """The last run that covered the whole record and was not cut short."""

    run_id: UUID
    created_at: datetime
    """The time when its dossier was saved."""
    body: Mapping[str, Any]
    """The body of its dossier."""
    bundle: Sequence[BundledEvidence]
    """Its evidence with its judgements; pass any of them to `run.judge` to take them over."""


async def require_earlier(
    session: AsyncSession, lane: Lane, wanted: RunType, offered: Sequence[RunType]
) -> None:
    """Raises NothingToBuildOn, naming the types of run to request first."""
    if await dossiers.last_whole(session, lane) is not None:
        return
    first = [f"'{each.name}'" for each in offered if each.is_whole and not each.builds_on_earlier]
    raise NothingToBuildOn(
        f"A run of the type '{wanted.name}' builds on earlier research of the record, and there is "
        f"none that covers all of it; request {' or '.join(first) or 'another type'} first."
    )


async def earlier_run(session: AsyncSession, lane: Lane, run_id: UUID) -> EarlierRun:
    """The last such run of the lane before this run; raises NothingToBuildOn."""
    dossier = await dossiers.last_whole(session, lane, before=run_id)
    if dossier is None:
        raise NothingToBuildOn
    bundle = await store.bundle(session, dossier.run_id)
    return EarlierRun(dossier.run_id, dossier.created_at, dossier.body, bundle)
