"""A pack described for clients, which can draw any pack without knowing its domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whence.app.kind_view import KindView, describe_kind
from whence.app.schemas import Schema, schema_of
from whence.app.ui import read_ui
from whence.kernel.wire import Wire
from whence.records.kind import SubjectKind
from whence.sdk.pack import Pack


class NamedView(Wire):
    """Something of a pack, with a name for programs and a title for people."""

    name: str
    title: str


class ImportView(NamedView):
    """An importer of files: where its records go, and what can be done about them."""

    kind: str | None
    """The kind of the records that it writes; null if they are not records of a kind."""
    can_undo: bool


class JobView(NamedView):
    """Background work and its payload."""

    payload: Schema


class WizardView(Wire):
    """A guided form, the kind of record it is about, and whether it writes one."""

    id: str
    version: str
    title: str
    description: str
    kind: str | None
    writes: bool


class PageView(Wire):
    """A page that supports chat, and the ids clients send with it."""

    name: str
    title: str
    kind: str | None
    ids: Schema


class RouteView(Wire):
    """A call of the pack's own API; the OpenAPI document describes it in full."""

    name: str
    method: str
    path: str
    access: str
    summary: str
    request: Schema
    answer: Schema | None


class ToolView(Wire):
    """A function that flows, conversations and the API can call."""

    name: str
    description: str
    scope: str


class UiView(Wire):
    """The pack's own pages, and its labels by language."""

    pages: list[str]
    labels: dict[str, dict[str, str]]


class PackView(Wire):
    """A domain and everything it offers."""

    id: str
    title: str
    kinds: list[KindView]
    wizards: list[WizardView]
    pages: list[PageView]
    imports: list[ImportView]
    evaluations: list[NamedView]
    jobs: list[JobView]
    schedules: list[NamedView]
    routes: list[RouteView]
    tools: list[ToolView]
    ui: UiView


def describe(pack: Pack, kinds: Mapping[str, SubjectKind]) -> PackView:
    """The pack in the form clients get; `kinds` are those of all packs."""
    ui = read_ui(pack.folder / "ui")
    return PackView(
        id=pack.id,
        title=pack.title,
        kinds=[describe_kind(pack, kind, kinds) for kind in pack.subjects],
        wizards=[WizardView.model_validate(each) for each in pack.wizards],
        pages=[
            PageView(name=page.name, title=page.title, kind=page.kind, ids=schema_of(page.ids))
            for page in pack.pages
        ],
        imports=[
            ImportView(
                name=f"{pack.id}.{each.name}",
                title=each.title,
                kind=each.kind.kind if each.kind else None,
                can_undo=each.undo is not None,
            )
            for each in pack.importers
        ],
        evaluations=_named(pack, pack.evals),
        jobs=[
            JobView(name=f"{pack.id}.{job.name}", title=job.title, payload=schema_of(job.payload))
            for job in pack.jobs
        ],
        schedules=_named(pack, pack.schedules),
        routes=[
            RouteView(
                name=each.name,
                method=each.method,
                path=f"/api/{pack.id}{each.wire_path}",
                access=each.access.value,
                summary=each.summary,
                request=schema_of(each.request),
                answer=schema_of(each.answer, answered=True) if each.answer else None,
            )
            for each in pack.routes
        ],
        tools=[
            ToolView(name=tool.name, description=tool.description, scope=tool.scope.value)
            for tool in pack.tools
        ],
        ui=UiView(pages=list(ui.pages), labels={k: dict(v) for k, v in ui.labels.items()}),
    )


def _named(pack: Pack, offered: Sequence[Any]) -> list[NamedView]:
    return [
        NamedView(name=f"{pack.id}.{each.name}", title=getattr(each, "title", each.name))
        for each in offered
    ]
