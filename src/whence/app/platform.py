"""The platform that `app.build` creates for the transports and the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.follow_ups import FollowUps
from whence.app.intake import Intake
from whence.app.manifest import PackView, describe
from whence.app.samples import Samples
from whence.chat.evidence_choices.offer import EvidenceChoices
from whence.chat.pages.catalog import Pages
from whence.chat.turns.runner import Turns
from whence.db.database import Database
from whence.erasure.service import Eraser
from whence.events.bus import EventBus
from whence.evidence.lanes import LaneName
from whence.evidence.wire import FactsOf, role_as_type
from whence.kernel.errors import Invalid, NotFound
from whence.kernel.services import Services
from whence.kernel.settings import Settings
from whence.records.deletion import Deletion
from whence.records.files.files import Files
from whence.records.imports.background import BackgroundImports
from whence.records.imports.undoing import ImportUndo
from whence.records.kind import SubjectKind
from whence.research.flow import Flow
from whence.research.runs import WantedRun
from whence.research.submit import ask
from whence.research.versions import Flows, Rollout, route
from whence.sdk import Pack, Setup
from whence.sdk.imports import Importer
from whence.tenancy.principal import Principal
from whence.tools.registry import ToolRegistry
from whence.tools.tool import ToolContext
from whence.wizards.catalog import Wizards
from whence.work.jobs import Jobs
from whence.work.queue import JobQueue, Priority
from whence.work.schedules.service import Schedules
from whence.work.submission import Submission

DEFAULT_FLOW = "research"


@dataclass(frozen=True)
class Platform:
    """Everything an interface needs: packs by what they offer, and the engine's parts."""

    settings: Settings
    packs: Sequence[Pack]
    kinds: Mapping[str, SubjectKind]
    deletion: Deletion
    """Deletes records with everything that depends on them."""
    flows: Flows
    rollout: Rollout
    pages: Pages
    tools: ToolRegistry
    wizards: Wizards
    services: Services
    setup: Setup
    db: Database
    queue: JobQueue
    jobs: Jobs
    schedules: Schedules
    files: Files
    imports: BackgroundImports
    import_undo: ImportUndo
    bus: EventBus
    turns: Turns
    """The conversation turns running in this process."""
    owner: Principal
    """The local owner, for the command line and the local sign-in link."""

    @cached_property
    def manifest(self) -> list[PackView]:
        """The packs as clients get them: every page asks first, and the schemas take 40 ms."""
        return [describe(pack, self.kinds) for pack in self.packs]

    @property
    def samples(self) -> Samples:
        """The samples of packs, and a newcomer's first steps."""
        return Samples(
            self.packs, self.kinds, self.db, self.settings, self.importer, self.import_undo
        )

    @property
    def intake(self) -> Intake:
        """Starts the research of new records."""
        return Intake(self.ask)

    @property
    def follow_ups(self) -> FollowUps:
        """Starts the research that a change of a record asks for."""
        return FollowUps(self.ask, self.queue, self.db, self.kinds)

    @property
    def eraser(self) -> Eraser:
        """Erases records and people for good."""
        declared = [each for pack in self.packs for each in pack.erasure]
        collections = [each.name for pack in self.packs for each in pack.collections]
        return Eraser(self.db, self.queue, self.kinds, declared, collections)

    async def delete(
        self, session: AsyncSession, who: Principal, kind: SubjectKind, subject_id: UUID
    ) -> None:
        """Delete a record; its research and conversations go or stay as the settings say.

        Raises NotFound, and StillReferredTo with the number of referring records.
        """
        if self.settings.deletion == "erase":
            await self.eraser.delete(session, who, kind, subject_id)
        else:
            await self.deletion.delete(session, who, kind, subject_id)

    def unit(self, who: Principal) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction for the principal's organization."""
        return self.db.unit(who.org_id)

    def kind(self, name: str) -> SubjectKind:
        """A kind by its plural name; raises NotFound, which lists the kinds."""
        if name not in self.kinds:
            raise NotFound(f"There is no subject kind '{name}'; there are {_words(self.kinds)}.")
        return self.kinds[name]

    def flow(self, kind: str, flow_id: str | None) -> Flow:
        """A flow of a kind (default: `research`); raises Invalid, which lists the flows."""
        flow = self.flows.get((kind, flow_id or DEFAULT_FLOW))
        if flow is None:
            offered = [name for of_kind, name in self.flows if of_kind == kind]
            raise Invalid(f"There is no flow '{flow_id}' for {kind}; there are {_words(offered)}.")
        return flow

    async def ask(
        self,
        session: AsyncSession,
        who: Principal,
        kind: SubjectKind,
        subject_id: UUID,
        *,
        flow: str | None = None,
        version: str | None = None,
        lane: LaneName | None = None,
        priority: Priority = Priority.NORMAL,
        options: Mapping[str, Any] | None = None,
        wanted: WantedRun | None = None,
    ) -> Submission:
        """Request research according to the rollout, or with the given version and lane.

        Raises what `runs.request` raises, and Invalid for an unknown flow or version.
        """
        primary = self.flow(kind.kind, flow)
        work = route(self.flows, self.rollout, primary, subject_id, version=version, lane=lane)
        return await ask(
            session,
            self.queue,
            who,
            kind,
            work,
            subject_id,
            priority=priority,
            options=options,
            wanted=wanted,
        )

    def pack_of(self, kind: str) -> Pack:
        """The pack of a kind."""
        return next(pack for pack in self.packs if any(s.kind == kind for s in pack.subjects))

    def facts_of(self, kind: str) -> FactsOf:
        """How the pack of a kind reads its evidence as typed fields."""
        return self.pack_of(kind).facts or role_as_type

    def evidence_choices(self, kind: SubjectKind) -> EvidenceChoices:
        """How people choose the evidence of a kind; raises Invalid where its pack offers none."""
        declared = self.pack_of(kind.kind).evidence_choices
        offered = next((each for each in declared if each.kind == kind.kind), None)
        if offered is None:
            raise Invalid(f"The evidence of {kind.plural} cannot be included or excluded.")
        return offered

    def importer(self, name: str) -> Importer[Any]:
        """The importer `<pack>.<name>`; raises Invalid, which lists the importers."""
        offered = {f"{pack.id}.{item.name}": item for pack in self.packs for item in pack.importers}
        if name not in offered:
            raise Invalid(f"There is no import '{name}'; there are {_words(offered)}.")
        return self.intake.importing(replace(offered[name], name=name))

    def tool_context(self, who: Principal, caller: str, run_id: UUID | None = None) -> ToolContext:
        """The context of a tool call from outside a flow."""
        return ToolContext(who, caller, self.db, self.services, run_id)


def _words(names: Sequence[str] | Mapping[str, object]) -> str:
    return ", ".join(sorted(names)) or "none"
