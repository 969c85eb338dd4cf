"""A record to erase, and the records erased with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.erasure.sets import hold
from whence.kernel.errors import NotFound
from whence.records.deletion import StillReferredTo, referring
from whence.records.kind import Kinds, SubjectKind
from whence.records.relation import OnDelete


@dataclass(frozen=True)
class Doomed:
    """Records that are erased together, locked until the end of the transaction."""

    kind: SubjectKind
    id: UUID
    by_kind: Sequence[tuple[SubjectKind, Sequence[UUID]]]
    """Referring records first, then those they refer to."""
    external_ids: Sequence[str]

    @property
    def ids(self) -> list[UUID]:
        """All of them."""
        return [each for _, ids in self.by_kind for each in ids]


async def doomed(session: AsyncSession, kinds: Kinds, kind: SubjectKind, record: UUID) -> Doomed:
    """A record with its dependents: those a deletion removes, and those already deleted.

    Raises NotFound, and StillReferredTo with the counts.
    """
    await hold(session, [record])
    row = kind.row
    query = select(row.external_id).where(row.id == record).with_for_update()
    first = (await session.execute(query)).one_or_none()
    if first is None:
        raise NotFound(f"There is no such {kind.title.lower()}.")
    levels: list[tuple[SubjectKind, dict[UUID, str | None]]] = [(kind, {record: first[0]})]
    refusing: list[tuple[str, set[UUID]]] = []
    for parent, ids in levels:
        for child, along, others in await _referring(session, kinds, parent, sorted(ids)):
            refusing.append((child.kind, others))
            listed = {each for _, records in levels for each in records}
            fresh = {each: name for each, name in along.items() if each not in listed}
            await hold(session, sorted(fresh))
            if along:  # known or not: this kind goes before the one that it refers to
                levels.append((child, fresh))
    _refuse(kinds, kind, refusing, {each for _, ids in levels for each in ids})
    externals = [name for _, ids in levels for name in ids.values() if name]
    by_kind = [(each, sorted(ids)) for each, ids in reversed(levels)]
    return Doomed(kind, record, by_kind, externals)


def _refuse(
    kinds: Kinds,
    kind: SubjectKind,
    refusing: Sequence[tuple[str, set[UUID]]],
    going: set[UUID],
) -> None:
    counts: Counter[str] = Counter()
    for name, ids in refusing:
        counts[name] += len(ids - going)
    if counts.total():
        counts = +counts  # without the kinds of which none refers
        raise StillReferredTo.by(kinds, kind, "erased", counts)


async def _referring(
    session: AsyncSession, kinds: Kinds, kind: SubjectKind, ids: Sequence[UUID]
) -> list[tuple[SubjectKind, dict[UUID, str | None], set[UUID]]]:
    """For each relation to these records: dependents to erase, and references that prevent it."""
    by_relation: list[tuple[SubjectKind, dict[UUID, str | None], set[UUID]]] = []
    for child, relation in referring(kinds, kind) if ids else ():
        row = child.row
        query = select(row.id, row.external_id, row.deleted_at.is_(None))
        refers = query.where(getattr(row, relation.field).in_(ids)).order_by(row.id)
        rows = (await session.execute(refers.with_for_update())).tuples().all()
        takes_all = relation.on_delete is OnDelete.CASCADE
        along = {each: name for each, name, is_there in rows if takes_all or not is_there}
        by_relation.append((child, along, {each for each, *_ in rows if each not in along}))
    return by_relation
