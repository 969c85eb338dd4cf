"""Deletes a record: records that refer to it prevent that, or are deleted with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.clock import now
from whence.kernel.errors import Conflict
from whence.records import store
from whence.records.audit import audit_each
from whence.records.kind import Kinds, Relation, SubjectKind
from whence.records.relation import OnDelete
from whence.search import index
from whence.tenancy.principal import Principal

Companion = Callable[[AsyncSession, str, Sequence[UUID]], Awaitable[None]]
"""`companion(session, kind, ids)`: erases what another part of the program stores about records."""


class StillReferredTo(Conflict):
    """Other records refer to this one; delete them first, or make them refer to another one."""

    @classmethod
    def by(
        cls, kinds: Kinds, kind: SubjectKind, done: str, counts: Mapping[str, int]
    ) -> StillReferredTo:
        """`done` is what was to happen to the record, such as `deleted`; `counts` is by kind."""
        referring = [kinds[name].counted(number) for name, number in sorted(counts.items())]
        refer = "refers" if sum(counts.values()) == 1 else "refer"
        them = f"that {kinds[next(iter(counts))].title.lower()}" if refer == "refers" else "them"
        return cls(
            f"This {kind.title.lower()} cannot be {done}: {' and '.join(referring)} {refer} to it "
            f"or to what would be {done} along with it. Delete {them} first, or let {them} refer "
            "to another.",
            referring=dict(counts),
        )


class ChangedMeanwhile(Conflict):
    """A record was changed, or referred to, while it was to be deleted."""


@dataclass(frozen=True)
class Deletion:
    """Deletes records with their dependents, in the caller's transaction."""

    kinds: Kinds
    companions: Sequence[Companion] = ()

    async def delete(
        self, session: AsyncSession, who: Principal, kind: SubjectKind, subject_id: UUID
    ) -> None:
        """Delete a record with its dependents; its research stays stored.

        Raises NotFound, and StillReferredTo with the number of referring records.
        """
        # First, as who answers a wizard holds its run and then wants the record.
        for companion in self.companions:
            await companion(session, kind.kind, [subject_id])
        await store.get(session, kind, subject_id, to_change=True)
        doomed = await self._with_dependents(session, kind, subject_id)
        await self._refuse_while_referred_to(session, kind, doomed)
        for name, ids in doomed.items():
            await self._delete(session, who, self.kinds[name], sorted(ids), kind, subject_id)

    async def delete_unreferred(
        self,
        session: AsyncSession,
        who: Principal,
        kind: SubjectKind,
        versions: Mapping[UUID, int],
    ) -> list[UUID]:
        """Delete those records that still have these versions and that no record refers to.

        A few statements for all of them.  Returns their ids; raises ChangedMeanwhile, after which
        the caller has to roll back, as what is stored about the records may be gone.
        """
        ids = await self._unreferred(session, kind, versions)
        if not ids:
            return []
        for companion in self.companions:
            await companion(session, kind.kind, ids)
        row = kind.row
        await session.execute(
            select(row.id).where(row.id.in_(ids)).order_by(row.id).with_for_update()
        )
        if await self._unreferred(session, kind, {each: versions[each] for each in ids}) != ids:
            raise ChangedMeanwhile
        await self._gone(session, who, kind, {each: {} for each in ids})
        return ids

    async def _unreferred(
        self, session: AsyncSession, kind: SubjectKind, versions: Mapping[UUID, int]
    ) -> list[UUID]:
        row = kind.row
        query = select(row.id, row.version).where(row.id.in_(versions), row.deleted_at.is_(None))
        free = {each.id for each in await session.execute(query) if each[1] == versions[each.id]}
        for child, relation in referring(self.kinds, kind):
            refers = getattr(child.row, relation.field)
            referred = select(refers).where(refers.in_(versions), child.row.deleted_at.is_(None))
            free -= set(await session.scalars(referred.distinct()))
        return sorted(free)

    async def _with_dependents(
        self, session: AsyncSession, kind: SubjectKind, subject_id: UUID
    ) -> Mapping[str, set[UUID]]:
        """The record and everything deleted with it, locked until the end of the transaction."""
        doomed: defaultdict[str, set[UUID]] = defaultdict(set)
        doomed[kind.kind].add(subject_id)
        open_ends = [(kind, [subject_id])]
        while open_ends:
            parent, ids = open_ends.pop()
            for child, relation in referring(self.kinds, parent):
                if relation.on_delete is not OnDelete.CASCADE:
                    continue
                row = child.row
                refers = getattr(row, relation.field).in_(ids)
                query = select(row.id).where(refers, row.deleted_at.is_(None)).order_by(row.id)
                children = set(await session.scalars(query.with_for_update())) - doomed[child.kind]
                if children:
                    doomed[child.kind] |= children
                    open_ends.append((child, sorted(children)))
        return doomed

    async def _refuse_while_referred_to(
        self, session: AsyncSession, kind: SubjectKind, doomed: Mapping[str, set[UUID]]
    ) -> None:
        counts: dict[str, int] = {}
        for name, ids in doomed.items():
            for child, relation in referring(self.kinds, self.kinds[name]):
                row = child.row
                refers = getattr(row, relation.field).in_(ids)
                stays = row.id.not_in(doomed.get(child.kind, set[UUID]()))
                query = select(func.count()).where(refers, stays, row.deleted_at.is_(None))
                if number := await session.scalar(query):
                    counts[child.kind] = counts.get(child.kind, 0) + number
        if counts:
            raise StillReferredTo.by(self.kinds, kind, "deleted", counts)

    async def _delete(
        self,
        session: AsyncSession,
        who: Principal,
        kind: SubjectKind,
        ids: Sequence[UUID],
        first: SubjectKind,
        first_id: UUID,
    ) -> None:
        others = [each for each in ids if each != first_id]
        if others:
            for companion in self.companions:
                await companion(session, kind.kind, others)
        along = {"alongWith": {"kind": first.kind, "id": str(first_id)}}
        details = {each: {} if each == first_id else along for each in ids}
        await self._gone(session, who, kind, details)

    async def _gone(
        self,
        session: AsyncSession,
        who: Principal,
        kind: SubjectKind,
        details: Mapping[UUID, dict[str, Any]],
    ) -> None:
        """Mark records as deleted; `details` are those of the audit log, by id."""
        row, ids = kind.row, list(details)
        gone = update(row).where(row.id.in_(ids), row.deleted_at.is_(None))
        await session.execute(gone.values(deleted_at=now(), version=row.version + 1))
        await index.remove(session, kind.kind, ids)
        await audit_each(session, who, "delete", kind.kind, details)


def referring(kinds: Kinds, kind: SubjectKind) -> list[tuple[SubjectKind, Relation]]:
    """The relations of all kinds that refer to records of this one."""
    return [
        (child, relation)
        for child in kinds.values()
        for relation in child.relations
        if relation.target() is kind
    ]
