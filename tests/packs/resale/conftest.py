"""What tests of the whole pack share: a desk at which items are imported and researched."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from whence.app.platform import Platform
from whence.chat.load_record_view import load_record_view
from whence.chat.record_view import RecordView
from whence.events import log
from whence.events.log import Event
from whence.evidence import dossiers, store
from whence.evidence.wire import dossier_answer, evidence_answer
from whence.kernel.clock import now
from whence.kernel.health import Health
from whence.kernel.services import Services
from whence.kernel.settings import Settings
from whence.packs.resale import pack
from whence.packs.resale.flows.sources import Libraries, OutsideSources
from whence.packs.resale.library.tables import ItemRow
from whence.packs.resale.photographs import PhotoFetcher
from whence.packs.resale.readings import PhotographReadings
from whence.packs.resale.records import Item
from whence.packs.resale.settings import ResaleSettings
from whence.records import store as records
from whence.records.attachments import NamedFile, put
from whence.records.files.files import Files
from whence.research import run_steps, runs
from whence.sdk.imports import ImportContext, ImportReport

SAMPLE = pack.FOLDER / "sample"
SERVICES = (
    *(Settings, ResaleSettings, Libraries, OutsideSources, PhotoFetcher, PhotographReadings),
    *(Files, Health),
)
PATIENCE = 90.0
"""Seconds until a run is late; the first photograph of a process loads the OCR models."""


@dataclass(frozen=True)
class Researched:
    """A run that has ended, and what it left."""

    ended: Mapping[str, Any]
    nodes: list[str]
    job_id: str
    dossier: dict[str, Any]
    """The current one, which an incomplete run leaves to an earlier one."""
    evidence: list[dict[str, Any]]

    @property
    def body(self) -> dict[str, Any]:
        return self.dossier["body"]

    @property
    def comps(self) -> dict[str, dict[str, Any]]:
        """Comparables by their id at the source."""
        return {e["sourceId"]: e for e in self.evidence if e["role"] == "comp"}

    def claims(self, path: str) -> list[dict[str, Any]]:
        """Claims whose path begins so."""
        return [claim for claim in self.dossier["claims"] if claim["path"].startswith(path)]


@dataclass(frozen=True)
class Desk:
    """The program with a worker, for the local owner."""

    platform: Platform

    async def imported(self, name: str, path: Path) -> ImportReport:
        context = ImportContext(self.platform.owner, self.platform.db, self.platform.settings)
        return await self.platform.importer(f"resale.{name}").run(context, path)

    async def sample(self) -> None:
        await self.imported("items", SAMPLE / "items.csv")
        await self.imported("listings", SAMPLE / "listings.csv")

    async def item(self, **fields: Any) -> UUID:
        """An item; of its media, those that `stored` has kept are attached to it.

        One whose file is lost stands in its column, as in databases of before.
        """
        record = Item.model_validate(fields)
        kind, who = self.platform.kind("items"), self.platform.owner
        async with self.platform.unit(who) as session:
            row = await records.create(session, who, kind, record)
            named: list[NamedFile] = []
            for media in record.media:
                if media.stored:
                    digest = media.stored.partition(".")[0]
                    file = await self.platform.files.find(session, digest)
                    if file is None:
                        assert isinstance(row, ItemRow)
                        row.media = [*row.media, media.model_dump(mode="json")]
                    else:
                        named.append(NamedFile(media.url, file))
            await put(session, who, kind, row, named)
            return row.id

    async def shown(self, reference: str) -> dict[str, Any]:
        kind = self.platform.kind("items")
        async with self.platform.unit(self.platform.owner) as session:
            return kind.shown(await records.resolve(session, kind, reference))

    async def stored(self, photo: Path, name: str | None = None) -> dict[str, str]:
        """A photograph kept as it is, readable or not, as media of an item."""
        async with self.platform.unit(self.platform.owner) as session:
            files = self.platform.files
            stored = await files.keep_bytes(session, photo.read_bytes(), "image/jpeg")
        return {"url": name or photo.name, "stored": stored.digest + ".jpg"}

    async def research(self, reference: str | UUID) -> Researched:
        platform = self.platform
        kind, flow = platform.kind("items"), platform.flow("items", None)
        async with platform.unit(platform.owner) as session:
            row = await records.resolve(session, kind, str(reference))
            submitted = await runs.request(
                session, platform.queue, platform.owner, kind, flow, row.id
            )
        ended = await self.end_of(submitted.id)
        async with platform.unit(platform.owner) as session:
            nodes = [step.node for step in await run_steps.steps(session, submitted.id)]
            dossier = await dossiers.current(session, dossiers.Lane("items", row.id, flow.id))
            assert dossier is not None, ended
            bundle = await store.bundle(session, dossier.run_id)
        facts_of = platform.facts_of("items")
        answers = [evidence_answer(entry, facts_of, dossier.run_id) for entry in bundle]
        shown = [answer.model_dump(mode="json", by_alias=True) for answer in answers]
        answered = dossier_answer(dossier).model_dump(mode="json", by_alias=True)
        return Researched(ended, nodes, str(submitted.id), answered, shown)

    async def end_of(self, run_id: UUID) -> Mapping[str, Any]:
        """How a run ends."""
        return await asyncio.wait_for(self._ended(run_id), PATIENCE)

    async def events(self, researched: Researched) -> list[Event]:
        """The events of a run."""
        org_id = self.platform.owner.org_id
        return await log.read(self.platform.db, org_id, UUID(researched.job_id), 0)

    async def record_view(self, researched: Researched) -> RecordView:
        """What a chat turn knows of the item of a run."""
        async with self.platform.unit(self.platform.owner) as session:
            run = await runs.get(session, UUID(researched.job_id))
            kind = self.platform.kind("items")
            return await load_record_view(session, kind, run.subject_id, now())

    async def dossiers(self, reference: str) -> list[dossiers.Dossier]:
        """Every dossier of an item, newest first."""
        kind = self.platform.kind("items")
        async with self.platform.unit(self.platform.owner) as session:
            row = await records.resolve(session, kind, reference)
            lane = dossiers.Lane("items", row.id, self.platform.flow("items", None).id)
            return await dossiers.history(session, lane, None, 20)

    async def history(self, reference: str) -> list[tuple[bool, str]]:
        """(current, job) of every dossier of an item, newest first."""
        query = text(
            "SELECT is_current, run_id::text FROM whence.dossiers d JOIN resale.items i"
            " ON i.id = d.subject_id WHERE i.external_id = :id ORDER BY d.created_at DESC"
        )
        async with self.platform.unit(self.platform.owner) as session:
            rows = await session.execute(query, {"id": reference})
            return [(current, run) for current, run in rows]

    async def _ended(self, run_id: UUID) -> Mapping[str, Any]:
        async for batch in self.platform.bus.tail(self.platform.owner.org_id, run_id):
            for event in batch:
                if event.type == "job_complete":
                    return event.payload
        raise AssertionError("a run's stream ends with job_complete")


OpenDesk = Callable[..., Awaitable[Desk]]


@asynccontextmanager
async def opened(
    settings: Settings, services: Callable[[Platform], list[Any]] | None = None
) -> AsyncGenerator[Desk]:
    """A desk; `services` replace those of their type."""
    from whence.app import build

    async with build.platform(settings) as platform:
        defaults = [platform.services.get(kind) for kind in SERVICES]
        others = services(platform) if services else []
        changed = replace(platform, services=Services([*defaults, *others]))
        async with build.worker(changed):
            yield Desk(changed)


@pytest.fixture(scope="session")
def desk_of() -> Callable[..., AbstractAsyncContextManager[Desk]]:
    """`async with desk_of(settings) as desk`, for fixtures that live longer than a test."""
    return opened


@pytest.fixture
async def open_desk(settings: Settings) -> AsyncIterator[OpenDesk]:
    """`await open_desk(services=..., model=...)`: services replaced, settings changed."""
    async with AsyncExitStack() as stack:

        async def make(
            services: Callable[[Platform], list[Any]] | None = None, **changes: Any
        ) -> Desk:
            changed = settings.model_copy(update=changes)
            return await stack.enter_async_context(opened(changed, services))

        yield make


@pytest.fixture
async def desk(open_desk: OpenDesk) -> Desk:
    """A desk without a model and without outside sources."""
    return await open_desk()
