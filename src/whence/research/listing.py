"""Runs for somebody who looks after an organization: newest first, found by part of an id."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy import String, cast, select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.errors import Invalid, NotFound
from whence.records.kind import SubjectKind
from whence.research.tables import Run

_PREFIX = re.compile(r"[0-9a-f-]{1,36}")


class SeveralRuns(Invalid):
    """Several runs have ids that begin like this; give more of the id."""


async def listed(
    session: AsyncSession, *, status: str | None = None, kind: str | None = None, limit: int = 20
) -> list[Run]:
    """The newest runs, at most `limit`, of one state and one kind of subject where given."""
    query = select(Run).order_by(Run.created_at.desc(), Run.id.desc()).limit(limit)
    if status:
        query = query.where(Run.status == status)
    if kind:
        query = query.where(Run.kind == kind)
    return list(await session.scalars(query))


async def names(
    session: AsyncSession, kinds: Mapping[str, SubjectKind], runs: Sequence[Run]
) -> dict[UUID, str]:
    """What the records of these runs are called: `items/HP-001`, by our id where there is no other.

    Records of a kind that no pack offers any more are called by our id too.
    """
    titles = {run.subject_id: f"{run.kind}/{run.subject_id}" for run in runs}
    for kind in kinds.values():
        ids = {run.subject_id for run in runs if run.kind == kind.kind}
        query = select(kind.row.id, kind.row.external_id).where(kind.row.id.in_(ids))
        for subject_id, external_id in await session.execute(query) if ids else ():
            titles[subject_id] = f"{kind.kind}/{external_id or subject_id}"
    return titles


async def found(session: AsyncSession, reference: str) -> UUID:
    """The id of the one run whose id begins with `reference`.

    Raises Invalid for what cannot begin an id and for one that several runs share, NotFound.
    """
    prefix = reference.strip().lower()
    if not _PREFIX.fullmatch(prefix):
        raise Invalid(f"'{reference}' is no id of a run; `whence runs list` shows them.")
    query = select(Run.id).where(cast(Run.id, String).startswith(prefix)).limit(2)
    ids = list(await session.scalars(query))
    if not ids:
        raise NotFound(f"There is no run '{reference}'; `whence runs list` shows them.")
    if len(ids) > 1:
        raise SeveralRuns(f"Several runs have ids that begin with '{reference}'; give more of it.")
    return ids[0]
