"""The samples that packs ship, loaded and removed together, and a newcomer's first steps."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.kernel.errors import Conflict, NotFound
from whence.kernel.settings import Settings
from whence.records.imports.importer import ImportContext
from whence.records.imports.running import Importer, import_file
from whence.records.imports.undoing import ImportUndo
from whence.records.kind import SubjectKind
from whence.sdk.pack import Pack
from whence.tenancy.principal import Principal, Scope

_LOADED = text("""
    SELECT id, name, filename FROM whence.imports
    WHERE is_sample AND status = 'done' AND undone_at IS NULL ORDER BY id DESC
""")
_KEPT = text("""
    SELECT record_id FROM whence.import_rows
    WHERE import_id = :id AND outcome = 'added' AND undone ->> 'result' = 'kept'
""")
_RESEARCHED = text("""
    SELECT kind, subject_id FROM whence.dossiers WHERE lane = 'primary' ORDER BY id DESC LIMIT 1
""")
_ASKED = text("SELECT EXISTS (SELECT FROM whence.chat_messages WHERE role = 'user')")


@dataclass(frozen=True)
class SampleState:
    """What a pack offers as samples, and whether it is there."""

    pack: str
    title: str
    is_loaded: bool


@dataclass(frozen=True)
class FirstStep:
    """A step of a newcomer, whether it is done, and the record to do it with."""

    name: Literal["records", "research", "ask"]
    is_done: bool
    kind: str | None = None
    record_id: UUID | None = None


@dataclass(frozen=True)
class Start:
    """What a new organization is greeted with."""

    steps: tuple[FirstStep, ...]
    samples: tuple[SampleState, ...]


@dataclass(frozen=True)
class Samples:
    """Loads and removes the samples of every pack; each file is one import."""

    packs: Sequence[Pack]
    kinds: Mapping[str, SubjectKind]
    db: Database
    settings: Settings
    importer: Callable[[str], Importer[Any]]
    import_undo: ImportUndo

    async def load(self, who: Principal) -> None:
        """Import the samples that are not there; a second call changes nothing."""
        who.require(Scope.WRITE)
        async with self.db.unit(who.org_id) as session:
            loaded = {(row.name, row.filename) for row in await session.execute(_LOADED)}
        context = ImportContext(who, self.db, self.settings, is_sample=True)
        for name, path in self._files():
            if (name, path.name) not in loaded:
                await import_file(context, self.importer(name), path)

    async def remove(self, who: Principal) -> None:
        """Undo the imports of samples, and delete those of their records that changed since."""
        who.require(Scope.WRITE)
        async with self.db.unit(who.org_id) as session:
            loaded = [(row.id, row.name) for row in await session.execute(_LOADED)]
        for import_id, name in loaded:
            await self.import_undo.undo(who, import_id)
            if (kind := self.importer(name).kind) is not None:
                await self._delete_kept(who, kind, import_id)

    async def start(self, session: AsyncSession, who: Principal) -> Start:
        """The first steps and how far they are; what no pack offers is no step."""
        who.require(Scope.READ)
        loaded = {(row.name, row.filename) for row in await session.execute(_LOADED)}
        samples = tuple(
            SampleState(
                pack.id,
                pack.title,
                all(
                    (f"{pack.id}.{name}", Path(file).name) in loaded
                    for name, file in pack.sample.imports
                ),
            )
            for pack in self.packs
            if pack.sample is not None
        )
        return Start(tuple([step async for step in self._steps(session)]), samples)

    async def _steps(self, session: AsyncSession) -> AsyncIterator[FirstStep]:
        first = await self._first_record(session)
        researched = (await session.execute(_RESEARCHED)).one_or_none()
        yield FirstStep("records", first is not None, first[0] if first else None)
        if any(pack.flows for pack in self.packs):
            kind, record = researched or first or (None, None)
            yield FirstStep("research", researched is not None, kind, record)
        if any(pack.chats for pack in self.packs):
            asked = bool(await session.scalar(_ASKED))
            kind, record = researched or first or (None, None)
            yield FirstStep("ask", asked, kind, record)

    async def _first_record(self, session: AsyncSession) -> tuple[str, UUID] | None:
        """The record to begin with: a pack's sample, else the newest one that can be researched."""
        samples = [pack.sample for pack in self.packs if pack.sample is not None]
        for sample in sorted(samples, key=lambda each: each.question is None):
            kind, external_id = sample.subject
            row = self.kinds[kind].row
            query = select(row.id).where(row.external_id == external_id, row.deleted_at.is_(None))
            if (record := await session.scalar(query)) is not None:
                return kind, record
        researched = {flow.kind for pack in self.packs for flow in pack.flows}
        for name, kind in sorted(self.kinds.items(), key=lambda each: each[0] not in researched):
            newest = select(kind.row.id).where(kind.row.deleted_at.is_(None))
            newest = newest.order_by(kind.row.id.desc()).limit(1)
            if (record := await session.scalar(newest)) is not None:
                return name, record
        return None

    async def _delete_kept(self, who: Principal, kind: SubjectKind, import_id: UUID) -> None:
        async with self.db.unit(who.org_id) as session:
            kept = list(await session.scalars(_KEPT, {"id": import_id}))
        for record_id in kept:
            # Deleted by somebody meanwhile, or referred to by a record that is no sample.
            with suppress(NotFound, Conflict):
                async with self.db.unit(who.org_id) as session:
                    await self.import_undo.deletion.delete(session, who, kind, record_id)

    def _files(self) -> Iterator[tuple[str, Path]]:
        for pack in self.packs:
            for name, file in pack.sample.imports if pack.sample else ():
                assert pack.sample is not None
                yield f"{pack.id}.{name}", pack.sample.folder / file
