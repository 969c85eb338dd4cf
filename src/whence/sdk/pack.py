"""`Pack`: the manifest in which a domain declares everything to the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whence.chat.evidence_choices.offer import EvidenceChoices
from whence.chat.offer import Chat
from whence.chat.pages.page import Page
from whence.erasure.tables import TableErasure
from whence.evidence.wire import FactsOf
from whence.kernel.fetch import Fetcher
from whence.kernel.settings import Settings
from whence.records.kind import SubjectKind
from whence.research.flow import Flow
from whence.sdk.imports import Importer
from whence.sdk.inbox import InboxSource
from whence.sdk.routes import Route
from whence.search.collection import Collection
from whence.tools.sources import Sources
from whence.tools.tool import Tool
from whence.wizards.definition import Wizard
from whence.work.job import Job
from whence.work.schedules.declaration import Schedule


@dataclass(frozen=True)
class Setup:
    """What a pack's services are built from, once per process."""

    settings: Settings
    fetcher: Fetcher


@dataclass(frozen=True)
class Evaluation:
    """`whence eval <pack>.<name> --data DIR`: measures a part of the pack; returns flat figures."""

    name: str
    title: str
    run: Callable[[Path], Mapping[str, float | int | str]]
    sample: Path | None = None
    """Data that ships with the pack; None if the user must provide it."""


@dataclass(frozen=True)
class Check:
    """A line of `whence doctor`: whether something works, and how to make it work."""

    name: str
    works: bool
    detail: str
    setting: str | None = None


@dataclass(frozen=True)
class ModelUse:
    """What a model does in the pack, for the settings."""

    skill: str
    """The name of the skill."""
    title: str
    without: str
    """What happens without a model."""
    is_vision: bool = False
    """Done by the model that looks at photographs."""


@dataclass(frozen=True)
class Sample:
    """Records that ship with the pack, made by its authors: for newcomers (`POST /api/samples`)
    and, if there is a question, for `whence demo`."""

    folder: Path
    imports: tuple[tuple[str, str], ...]
    """(importer name, file name), in order."""
    subject: tuple[str, str]
    """The (subject kind, imported id) pairs that the demo researches."""
    question: str | None = None
    """The question the demo then asks about it."""


Json = Mapping[str, Any]
Show = Callable[[Json, Sequence[Json], Json], Any]
"""Turns (dossier, evidence, subject), as on the wire, into a Rich renderable; the console removes
terminal control characters, and the renderable escapes Rich's markup."""


@dataclass(frozen=True)
class ReportPart:
    """A part of an exported dossier: paragraphs of plain text below a heading."""

    title: str
    paragraphs: Sequence[str]


Report = Callable[[Json, Sequence[Json], Json], Sequence[ReportPart]]
"""Turns (dossier, evidence, subject), as on the wire, into what an exported dossier says beside its
conclusions and evidence; the export makes the texts inert."""


@dataclass(frozen=True)
class Pack:
    """A domain.  `PACK = Pack(...)` in `pack.py` is all that discovery looks for.

    `id` is also the name of the pack's schema in PostgreSQL.  `services` builds the objects that
    nodes and tools look up by type; it is entered once per process.  `show` turns a dossier, its
    evidence and its subject (as on the wire) into a Rich renderable for the terminal.
    """

    id: str
    title: str
    subjects: Sequence[SubjectKind]
    folder: Path
    flows: Sequence[Flow] = ()
    candidates: Sequence[Flow] = ()
    """Further versions of `flows` (same kind and id), for shadow runs and rollouts."""
    chats: Sequence[Chat] = ()
    """Chats about the pack's records, at most one for each kind."""
    evidence_choices: Sequence[EvidenceChoices] = ()
    """How people include and exclude evidence, at most one for each kind."""
    pages: Sequence[Page] = ()
    """Pages that support chat, besides records."""
    tools: Sequence[Tool] = ()
    importers: Sequence[Importer[Any]] = ()
    jobs: Sequence[Job[Any]] = ()
    """Background work, in the pack's own queue."""
    job_concurrency: int = 2
    """How many of the pack's jobs one worker runs at once."""
    schedules: Sequence[Schedule[Any]] = ()
    """Times at which jobs start by themselves, in every organization."""
    collections: Sequence[Collection] = ()
    """The pack's own texts in the search index, besides the records of its kinds."""
    evals: Sequence[Evaluation] = ()
    wizards: Sequence[Wizard] = ()
    """Guided forms; older versions stay in the list while runs of them may be open."""
    routes: Sequence[Route] = ()
    """Calls of the pack's own API, below `/api/<id>`."""
    inbox: Sequence[InboxSource] = ()
    """What else waits for a person, beside proposals, questions and forms."""
    services: Callable[[Setup], AbstractAsyncContextManager[Sequence[object]]] | None = None
    checks: Callable[[Setup], Sequence[Check]] | None = None
    model_uses: Sequence[ModelUse] = ()
    """What its skills do with a model, and without one."""
    sources: Sources | None = None
    """The outside systems it asks."""
    variables: Sequence[str] = ()
    """The environment variables the pack reads (`WHENCE_<ID>_*`), so that a misspelt one is
    reported; if empty, any variable with the pack's prefix is accepted."""
    show: Show | None = None
    report: Report | None = None
    """What `whence export KIND/ID` adds to the conclusions, such as limits and drafts."""
    facts: FactsOf | None = None
    """Reads a piece of evidence as typed fields: what it is, its price, its date, its picture."""
    sample: Sample | None = None
    erasure: Sequence[TableErasure] = ()
    """How to erase the rows of the pack's other tables; those of its kinds are handled by the
    engine."""

    @property
    def migrations(self) -> Path:
        """The pack's Alembic tree: `migrations/versions/*.py`."""
        return self.folder / "migrations"
