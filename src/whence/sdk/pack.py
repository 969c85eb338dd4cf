"""`Pack`: the one manifest in which a domain says all that the engine needs to know about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whence.chat.offer import Chat
from whence.chat.pages.page import Page
from whence.erasure.tables import TableErasure
from whence.kernel.fetch import Fetcher
from whence.kernel.settings import Settings
from whence.records.kind import SubjectKind
from whence.research.flow import Flow
from whence.sdk.imports import Importer
from whence.sdk.routes import Route
from whence.search.collection import Collection
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
    """`whence eval <pack>.<name> --data DIR`: measures a part of the pack; answers flat figures."""

    name: str
    title: str
    run: Callable[[Path], Mapping[str, float | int | str]]
    sample: Path | None = None
    """Data that ships with the pack; None where the user must bring some."""


@dataclass(frozen=True)
class Check:
    """A line of `whence doctor`: whether something works, and what would make it work."""

    name: str
    works: bool
    detail: str
    setting: str | None = None


@dataclass(frozen=True)
class Sample:
    """Records that ship with the pack for `whence demo`, made by its authors."""

    folder: Path
    imports: tuple[tuple[str, str], ...]
    """(importer name, file name), in order."""
    subject: tuple[str, str]
    """(subject kind, imported id) that the demo researches."""
    question: str | None = None
    """What the demo asks about it then."""


Json = Mapping[str, Any]
Show = Callable[[Json, Sequence[Json], Json], Any]
"""(dossier, evidence, subject), as on the wire, to a Rich renderable; the console that draws it
leaves out characters that would steer a terminal, and the renderable escapes Rich's markup."""


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
    """Talk about the pack's records, at most one for each kind."""
    pages: Sequence[Page] = ()
    """Pages that can be talked with, besides records."""
    tools: Sequence[Tool] = ()
    importers: Sequence[Importer[Any]] = ()
    jobs: Sequence[Job[Any]] = ()
    """Background work, in a queue of the pack's own."""
    job_concurrency: int = 2
    """Jobs of the pack that one worker runs at once."""
    schedules: Sequence[Schedule[Any]] = ()
    """When jobs are started by themselves, in every organization."""
    collections: Sequence[Collection] = ()
    """Texts of the pack's own in the search index, besides the records of its kinds."""
    evals: Sequence[Evaluation] = ()
    wizards: Sequence[Wizard] = ()
    """Guided forms; older versions stay in the list while runs of them may be under way."""
    routes: Sequence[Route] = ()
    """Calls of the pack's own API, below `/api/<id>`."""
    services: Callable[[Setup], AbstractAsyncContextManager[Sequence[object]]] | None = None
    checks: Callable[[Setup], Sequence[Check]] | None = None
    variables: Sequence[str] = ()
    """The environment variables that the pack reads (`WHENCE_<ID>_*`), so that a misspelt one is
    told; without any, whatever has the pack's prefix is taken for one of its own."""
    show: Show | None = None
    sample: Sample | None = None
    erasure: Sequence[TableErasure] = ()
    """How the pack's other tables go with a record or a person; those of its kinds go by
    themselves."""

    @property
    def migrations(self) -> Path:
        """The pack's Alembic tree: `migrations/versions/*.py`."""
        return self.folder / "migrations"
