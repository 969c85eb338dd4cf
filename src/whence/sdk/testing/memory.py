"""A run in memory: findings, judgements, changes and dossiers stay in lists; tools are called."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast
from uuid import NAMESPACE_URL, UUID, uuid5

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.db.tables import SubjectRow
from whence.evidence.records import BundledEvidence, DossierDraft, Evidence, Finding, Judgement
from whence.kernel.errors import Misconfigured, NotFound, Unavailable
from whence.kernel.ids import new_id
from whence.research.context import RunContext
from whence.research.earlier import EarlierRun, NothingToBuildOn
from whence.tenancy.principal import Principal, Role, principal
from whence.tools.sources import SourceRequest
from whence.tools.tool import ToolContext


class NeedsDatabase(Misconfigured):
    """A run in memory has no database; provide what the node reads as a service."""


class _NoSession:
    """A stand-in for a session; every use raises NeedsDatabase."""

    def __getattr__(self, name: str) -> Any:
        raise NeedsDatabase


class NoDatabase:
    """A stand-in for the database of a run in memory; its transactions hold nothing."""

    @asynccontextmanager
    async def unit(self, *_: object, **__: object) -> AsyncGenerator[AsyncSession]:
        """A transaction in which nothing can be read or written."""
        yield cast("AsyncSession", _NoSession())

    fenced = unit


@dataclass
class Memory:
    """Everything that a run in memory wrote."""

    row: SubjectRow
    at: datetime
    evidence: dict[UUID, Evidence] = field(default_factory=dict[UUID, Evidence])
    judged: dict[UUID, Judgement] = field(default_factory=dict[UUID, Judgement])
    changes: dict[str, object] = field(default_factory=dict[str, object])
    reports: list[str] = field(default_factory=list[str])
    dossier: DossierDraft | None = None
    earlier: EarlierRun | None = None
    """What the run builds on; its evidence is there from the beginning."""

    def __post_init__(self) -> None:
        for item in self.earlier.bundle if self.earlier else ():
            self.evidence[item.evidence.id] = item.evidence

    def bundle(self, role: str | None = None) -> list[BundledEvidence]:
        """The judged evidence, included first, then by relevance, in stored form."""
        chosen = [
            BundledEvidence(self.evidence[key], judgement)
            for key, judgement in self.judged.items()
            if role in (None, judgement.role)
        ]
        return sorted(chosen, key=_place)


def _place(item: BundledEvidence) -> tuple[Any, ...]:
    judgement, stored = item.judgement, item.evidence
    relevance = -judgement.relevance if judgement.relevance is not None else 1.0
    return (
        not judgement.included,
        relevance,
        stored.source,
        stored.source_id,
        str(stored.id),
    )


@dataclass(frozen=True)
class MemoryRun(RunContext):
    """A node's view of a run in memory: the calls of `RunContext`, without a database."""

    memory: Memory = field(kw_only=True)

    def unit(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction that holds nothing."""
        return NoDatabase().unit()

    def fenced(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction that holds nothing, for `save` and `change`."""
        return NoDatabase().fenced()

    async def subject(self, session: AsyncSession | None = None) -> SubjectRow:
        """The record the run started with."""
        return self.memory.row

    async def count_requests(self, requests: Sequence[SourceRequest]) -> None:
        """Count nothing."""

    async def pause_for(self, error: Unavailable) -> None:
        """Return at once: a run in memory does not wait for outside systems."""

    async def change(self, session: AsyncSession, values: Mapping[str, object]) -> None:
        """Set columns of the record in memory; raises NotFound for an unknown column."""
        for name, value in values.items():
            if not hasattr(type(self.memory.row), name):
                raise NotFound(f"{type(self.memory.row).__name__} has no column '{name}'.")
            setattr(self.memory.row, name, value)
        self.memory.changes.update(values)

    async def keep(self, findings: Sequence[Finding]) -> list[UUID]:
        """Keep findings in memory, each once; the same finding has the same id in every run."""
        ids: list[UUID] = []
        for finding in findings:
            key = uuid5(
                NAMESPACE_URL, f"{finding.source}/{finding.source_id}/{finding.content_hash}"
            )
            evidence = Evidence(
                id=key,
                source=finding.source,
                source_id=finding.source_id,
                url=finding.url,
                title=finding.title,
                content=finding.content,
                data=dict(finding.data),
                observed_at=finding.observed_at,
                fetched_at=self.memory.at,
            )
            self.memory.evidence.setdefault(key, evidence)
            ids.append(key)
        return ids

    async def judge(self, judgements: Sequence[Judgement]) -> None:
        """Put evidence into the run's bundle; a new judgement replaces an earlier one."""
        for judgement in judgements:
            if judgement.evidence_id not in self.memory.evidence:
                raise NotFound("The evidence that is judged was not kept before.")
            self.memory.judged[judgement.evidence_id] = judgement

    async def bundle(self, role: str | None = None) -> list[BundledEvidence]:
        """The run's evidence so far."""
        return self.memory.bundle(role)

    async def earlier(self) -> EarlierRun:
        """The earlier run that was given; raises NothingToBuildOn without one."""
        if self.memory.earlier is None:
            raise NothingToBuildOn
        return self.memory.earlier

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> BaseModel:
        """Call a tool of the pack directly, without a log; raises NotFound."""
        for offered in self.tools.visible(self.principal):
            if offered.name == tool:
                parsed = offered.arguments.model_validate(arguments)
                return await offered.function(parsed, self._tool_context())
        raise NotFound(f"There is no tool '{tool}'.")

    async def report(self, message: str) -> None:
        """Keep a progress message."""
        self.memory.reports.append(message)

    async def save(self, session: AsyncSession, draft: DossierDraft) -> UUID:
        """Keep the draft; its claims are checked once the flow has ended."""
        self.memory.dossier = draft
        return new_id()

    def _tool_context(self) -> ToolContext:
        return ToolContext(
            principal=self.principal,
            caller=f"flow:{self.node}",
            db=no_database(),
            services=self.services,
            run_id=self.run_id,
        )


def no_unit() -> AbstractAsyncContextManager[AsyncSession]:
    """A transaction that holds nothing, for what stands in for an object that reads tables."""
    return NoDatabase().unit()


def no_database() -> Database:
    """Raises whenever a database is used."""
    return cast("Database", NoDatabase())


def nobody() -> Principal:
    """An owner of an organization that exists only in memory."""
    return principal(new_id(), new_id(), Role.OWNER)
