"""Erases by kind and reference, for the REST API and the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.erasure import erasing, tombstones
from whence.erasure.dependents import doomed
from whence.erasure.erasing import PERSON
from whence.erasure.tables import TableErasure
from whence.erasure.tombstones import Erasure
from whence.kernel.errors import NotFound
from whence.records.kind import SubjectKind
from whence.tenancy.principal import Principal, Scope, require_owner
from whence.work.queue import JobQueue

DELETED = "The record was deleted."
"""The reason of an erasure by deletion."""
_BY_EMAIL = text("SELECT id FROM whence.users WHERE lower(email) = lower(:email)")


class NoSuchKind(NotFound):
    """Unknown kind; name a kind of record, such as `items`, or `person`."""


@dataclass(frozen=True)
class Eraser:
    """Erases in an installation with these kinds and tables."""

    db: Database
    queue: JobQueue
    kinds: Mapping[str, SubjectKind]
    declared: Sequence[TableErasure]
    """The packs' tables."""
    collections: Sequence[str] = ()
    """What the packs index for search; documents under a record's id go with it."""

    async def erase(
        self,
        who: Principal,
        kind: str,
        reference: str,
        reason: str,
        *,
        also_known_as: Sequence[str] = (),
        preview: bool = False,
    ) -> Erasure:
        """Erase a record (our id, or an imported one) or a person (user id, or e-mail).

        If it was erased before, returns its tombstone and does nothing.  `preview` erases and rolls
        back: its counts show what would be deleted.  Raises Forbidden except for owners, NotFound,
        Conflict, Invalid.
        """
        require_owner(who)
        if kind != PERSON and kind not in self.kinds:
            names = ", ".join([*sorted(self.kinds), PERSON])
            raise NoSuchKind(f"There is no kind '{kind}'; there are {names}.")
        async with self.db.unit(who.org_id) as session:
            subject = await self._subject(session, kind, reference)
            if earlier := await tombstones.of(session, kind, subject):
                session.expunge(earlier)
                return earlier
            erase = self._person if kind == PERSON else self._record
            erasure = await erase(session, who, kind, subject, reason, also_known_as)
            if preview:
                await session.rollback()
        return erasure

    async def delete(
        self, session: AsyncSession, who: Principal, kind: SubjectKind, record: UUID
    ) -> None:
        """Erase a record that a member deletes, in the caller's transaction.

        For installations that erase what is deleted.  Raises Forbidden, NotFound, and
        StillReferredTo with the number of referring records.
        """
        who.require(Scope.WRITE)
        going = await doomed(session, self.kinds, kind, record)
        await erasing.erase_record(
            session,
            self.queue,
            who,
            going,
            DELETED,
            self.declared,
            collections=self.collections,
            by_deletion=True,
        )

    async def _person(
        self,
        session: AsyncSession,
        who: Principal,
        _kind: str,
        person: UUID,
        reason: str,
        names: Sequence[str],
    ) -> Erasure:
        return await erasing.erase_person(
            session, self.queue, who, person, reason, self.declared, names
        )

    async def _record(
        self,
        session: AsyncSession,
        who: Principal,
        kind: str,
        record: UUID,
        reason: str,
        names: Sequence[str],
    ) -> Erasure:
        going = await doomed(session, self.kinds, self.kinds[kind], record)
        return await erasing.erase_record(
            session, self.queue, who, going, reason, self.declared, names, self.collections
        )

    async def _subject(self, session: AsyncSession, kind: str, reference: str) -> UUID:
        """Also deleted records; of several with the same imported id, the newest.  Raises
        NotFound."""
        if own := _as_uuid(reference):
            return own
        if kind == PERSON:
            subject = await session.scalar(_BY_EMAIL, {"email": reference})
        else:
            row = self.kinds[kind].row
            query = select(row.id).where(row.external_id == reference)
            subject = await session.scalar(query.order_by(row.created_at.desc()).limit(1))
        if subject is None:
            title = "member" if kind == PERSON else self.kinds[kind].title.lower()
            raise NotFound(f"There is no {title} '{reference}'.", kind=kind)
        return subject


def _as_uuid(reference: str) -> UUID | None:
    try:
        return UUID(reference)
    except ValueError:
        return None
