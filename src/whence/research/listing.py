"""List an organization's runs, newest first, and find one by the start of its id."""

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
    """Several runs have an id that starts like this; give more of the id."""


async def listed(
    session: AsyncSession, *, status: str | None = None, kind: str | None = None, limit: int = 20
) -> list[Run]:
    """The newest runs, at most `limit`, optionally of one status and one kind of subject."""
    query = select(Run).order_by(Run.created_at.desc(), Run.id.desc()).limit(limit)
    if status:
        query = query.where(Run.status == status)
    if kind:
        query = query.where(Run.kind == kind)
    return list(await session.scalars(query))


async def of_record(
    session: AsyncSession, kind: str, subject_id: UUID, *, flow: str | None, lane: str, limit: int
) -> list[Run]:
    """The newest runs about a record, at most `limit`, of one lane and optionally of one flow."""
    mine = (Run.kind == kind, Run.subject_id == subject_id, Run.lane == lane)
    query = select(Run).where(*mine).order_by(Run.created_at.desc(), Run.id.desc()).limit(limit)
    return list(await session.scalars(query.where(Run.flow == flow) if flow else query))


async def waiting_for_answers(session: AsyncSession, limit: int) -> list[Run]:
    """Paused runs with a question to a person, the oldest first, at most `limit`."""
    is_asking = (Run.status == "paused", Run.question.is_not(None), Run.lane == "primary")
    query = select(Run).where(*is_asking).order_by(Run.created_at, Run.id).limit(limit)
    return list(await session.scalars(query))


async def names(
    session: AsyncSession, kinds: Mapping[str, SubjectKind], runs: Sequence[Run]
) -> dict[UUID, str]:
    """The names of these runs' records, such as `items/HP-001`; with our id if they have no other.

    Records of a kind that no installed pack offers are named by our id too.
    """
    titles = {run.subject_id: f"{run.kind}/{run.subject_id}" for run in runs}
    for kind in kinds.values():
        ids = {run.subject_id for run in runs if run.kind == kind.kind}
        query = select(kind.row.id, kind.row.external_id).where(kind.row.id.in_(ids))
        for subject_id, external_id in await session.execute(query) if ids else ():
            titles[subject_id] = f"{kind.kind}/{external_id or subject_id}"
    return titles


async def find_id(session: AsyncSession, reference: str) -> UUID:
    """The id of the only run whose id starts with `reference`.

    Raises Invalid if `reference` is not the start of an id, SeveralRuns, or NotFound.
    """
    prefix = reference.strip().lower()
    if not _PREFIX.fullmatch(prefix):
        raise Invalid(f"'{reference}' is not the id of a run; `whence runs list` shows the ids.")
    query = select(Run.id).where(cast(Run.id, String).startswith(prefix)).limit(2)
    ids = list(await session.scalars(query))
    if not ids:
        raise NotFound(f"There is no run '{reference}'; `whence runs list` shows the ids.")
    if len(ids) > 1:
        raise SeveralRuns(
            f"Several runs have an id that starts with '{reference}'; give more of it."
        )
    return ids[0]
