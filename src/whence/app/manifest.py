"""What a pack offers, as a client is told: enough to draw any pack without knowing its domain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import BaseModel

from whence.app.ui import read_ui
from whence.kernel.wire import Wire
from whence.records.display import Unit
from whence.records.kind import SubjectKind
from whence.research.flow import Flow, name_of
from whence.sdk.pack import Pack

Schema = dict[str, Any]


class FieldView(Wire):
    """One field of a record; its type and limits stand in the kind's `schema`, under `name`."""

    name: str
    label: str
    description: str
    unit: str
    unit_field: str | None
    """The field that holds the unit, such as a currency."""
    is_required: bool
    can_filter: bool
    can_search: bool


class DisplayView(Wire):
    """Which fields stand where; see `Display`."""

    title: str | None
    subtitle: str | None
    picture: str | None
    figures: list[str]


class FlowView(Wire):
    """A kind of research, its nodes in order, and what its dossiers' bodies look like."""

    id: str
    version: str
    nodes: list[str]
    dossier: Schema | None


class TopicView(Wire):
    """What can be asked about a record, with an example."""

    name: str
    title: str
    example: str


class ChatView(Wire):
    """Conversations about a record: what can be asked and what can be changed."""

    topics: list[TopicView]
    editable: list[str]


class KindView(Wire):
    """A kind of record; its records stand at `/api/{kind}`."""

    kind: str
    title: str
    record: Schema
    fields: list[FieldView]
    display: DisplayView
    takes_files: bool
    flows: list[FlowView]
    chat: ChatView | None


class NamedView(Wire):
    """Something of a pack with a name for programs and a title for people."""

    name: str
    title: str


class WizardView(Wire):
    """A guided form, and the kind of record that it writes."""

    id: str
    version: str
    title: str
    description: str
    kind: str | None


class PageView(Wire):
    """A page that can be talked with, and the ids that a client sends with it."""

    name: str
    title: str
    kind: str | None
    ids: Schema


class RouteView(Wire):
    """A call of the pack's own API; the OpenAPI document has its whole description."""

    name: str
    method: str
    path: str
    access: str
    summary: str
    request: Schema
    answer: Schema | None


class ToolView(Wire):
    """A function that flows, conversations and the API call."""

    name: str
    description: str
    scope: str


class UiView(Wire):
    """The pack's own pages, and its words by language."""

    pages: list[str]
    labels: dict[str, dict[str, str]]


class PackView(Wire):
    """A domain and everything it offers."""

    id: str
    title: str
    kinds: list[KindView]
    wizards: list[WizardView]
    pages: list[PageView]
    imports: list[NamedView]
    evaluations: list[NamedView]
    jobs: list[NamedView]
    schedules: list[NamedView]
    routes: list[RouteView]
    tools: list[ToolView]
    ui: UiView


def describe(pack: Pack) -> PackView:
    """The pack as its clients see it."""
    ui = read_ui(pack.folder / "ui")
    return PackView(
        id=pack.id,
        title=pack.title,
        kinds=[_kind(pack, kind) for kind in pack.subjects],
        wizards=[WizardView.model_validate(each) for each in pack.wizards],
        pages=[
            PageView(name=page.name, title=page.title, kind=page.kind, ids=_schema(page.ids))
            for page in pack.pages
        ],
        imports=_named(pack, pack.importers),
        evaluations=_named(pack, pack.evals),
        jobs=_named(pack, getattr(pack, "jobs", ())),
        schedules=_named(pack, getattr(pack, "schedules", ())),
        routes=[
            RouteView(
                name=each.name,
                method=each.method,
                path=f"/api/{pack.id}{each.wire_path}",
                access=each.access.value,
                summary=each.summary,
                request=_schema(each.request),
                answer=_schema(each.answer, answered=True) if each.answer else None,
            )
            for each in pack.routes
        ],
        tools=[
            ToolView(name=tool.name, description=tool.description, scope=tool.scope.value)
            for tool in pack.tools
        ],
        ui=UiView(pages=list(ui.pages), labels={k: dict(v) for k, v in ui.labels.items()}),
    )


def _kind(pack: Pack, kind: SubjectKind) -> KindView:
    chat = next((each for each in pack.chats if each.kind == kind.kind), None)
    wire = wire_names(kind.record)
    topics = chat.topics if chat else ()
    return KindView(
        kind=kind.kind,
        title=kind.title,
        record=_schema(kind.view, answered=True),
        fields=fields_of(kind),
        display=_display(kind, lambda name: wire[name] if name else None),
        takes_files=kind.attachment is not None,
        flows=[_flow(flow) for flow in pack.flows if flow.kind == kind.kind],
        chat=ChatView(
            topics=[TopicView(name=t.name, title=t.title, example=t.example) for t in topics],
            editable=[wire.get(each.field, each.field) for each in chat.editable],
        )
        if chat
        else None,
    )


def _flow(flow: Flow) -> FlowView:
    nodes = [name_of(node) for node in flow.nodes]
    dossier = _schema(flow.dossier, answered=True) if flow.dossier else None
    return FlowView(id=flow.id, version=flow.version, nodes=nodes, dossier=dossier)


def fields_of(kind: SubjectKind) -> list[FieldView]:
    """The fields of a kind's records, in order, with their labels and units."""
    wire = wire_names(kind.record)
    views: list[FieldView] = []
    for name, info in kind.record.model_fields.items():
        unit = next((item for item in info.metadata if isinstance(item, Unit)), Unit())
        views.append(
            FieldView(
                name=wire[name],
                label=info.title or name.replace("_", " ").capitalize(),
                description=info.description or "",
                unit=unit.text,
                unit_field=wire[unit.field] if unit.field else None,
                is_required=info.is_required(),
                can_filter=name in kind.filters,
                can_search=name in kind.search,
            )
        )
    return views


def _display(kind: SubjectKind, wire: Callable[[str | None], str | None]) -> DisplayView:
    shown = kind.display
    first = next((name for name in kind.search if name in kind.record.model_fields), None)
    return DisplayView(
        title=wire(shown.title or first),
        subtitle=wire(shown.subtitle),
        picture=wire(shown.picture),
        figures=[word for name in shown.figures if (word := wire(name))],
    )


def wire_names(model: type[BaseModel]) -> dict[str, str]:
    """The fields of a model by their names in Python, with those on the wire."""
    return {name: info.serialization_alias or name for name, info in model.model_fields.items()}


def _named(pack: Pack, offered: Sequence[Any]) -> list[NamedView]:
    return [
        NamedView(name=f"{pack.id}.{each.name}", title=getattr(each, "title", each.name))
        for each in offered
    ]


def _schema(model: type[BaseModel], *, answered: bool = False) -> Schema:
    return model.model_json_schema(mode="serialization" if answered else "validation")
