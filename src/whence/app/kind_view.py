"""A kind of record described for clients, which can draw its lists and records from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Literal

from pydantic import TypeAdapter

from whence.app.schemas import Schema, record_schema, schema_of, wire_names
from whence.kernel.text import camel
from whence.kernel.wire import Wire
from whence.records.deletion import referring
from whence.records.display import Tone, Unit
from whence.records.filters import TIMES, Operator, filters_of
from whence.records.kind import SubjectKind
from whence.records.kinds import nested_name
from whence.records.relation import OnDelete
from whence.research.flow import Flow, Node, name_of, title_of
from whence.sdk.pack import Pack

_OPERATORS: Mapping[Operator, Literal["oneOf", "min", "max", "missing"]] = {
    Operator.ONE_OF: "oneOf",
    Operator.AT_LEAST: "min",
    Operator.AT_MOST: "max",
    Operator.MISSING: "missing",
}


class FieldView(Wire):
    """One field of a record; its type and limits are in the kind's `schema`, under `name`."""

    name: str
    label: str
    description: str
    unit: str
    unit_field: str | None
    """The field that holds the unit, such as a currency."""
    is_required: bool
    is_set_by_research: bool
    """Whether forms for a new record leave it out."""
    can_filter: bool
    """Whether `filters` has parameters for it, and the list's `counts` can count by it."""
    can_sort: bool
    can_search: bool


class FilterView(Wire):
    """A parameter that filters a kind's list, such as `status`, `value.min` or `buyer.region`."""

    parameter: str
    field: str
    """The field it compares: of the record that `relation` names, or of the record itself."""
    operator: Literal["oneOf", "min", "max", "missing"]
    """`oneOf` may be repeated, for several values."""
    relation: str | None
    value: Schema
    """The type of one value."""


class RelationView(Wire):
    """A reference to another record: its id is in `field`, the record is shown under `name`."""

    name: str
    field: str
    kind: str
    """The kind of the referenced record."""
    is_required: bool
    on_delete: OnDelete


class NestedView(Wire):
    """The list of records that refer to one of this kind, at `/api/{kind}/{id}/{name}`."""

    name: str
    kind: str
    relation: str
    """The relation of those records to it."""


class ConclusionView(Wire):
    """A claim of the current dossier that lists show; `GET /api/{kind}/conclusions` has them."""

    path: str
    label: str


class DisplayView(Wire):
    """Which fields to show where; see `Display`."""

    title: str | None
    subtitle: str | None
    picture: str | None
    state: str | None
    tones: dict[str, Tone]
    """What the choices of `state` mean; others are neutral."""
    figures: list[str]
    conclusions: list[ConclusionView]


class RunTypeView(Wire):
    """A reason to research a record, which a request for research may name."""

    name: str
    title: str
    builds_on_earlier: bool
    """Whether it needs earlier research to take results from."""
    has_parameters: bool


class NodeView(Wire):
    """A node of a flow: its name in events and logs, and what people see for it."""

    name: str
    title: str


class FlowView(Wire):
    """A kind of research: its nodes in order, and the schema of its dossiers."""

    id: str
    version: str
    nodes: list[NodeView]
    partial: NodeView | None
    """The node that runs in place of those that the budget leaves no room for."""
    dossier: Schema | None
    types: list[RunTypeView]
    """The types of run, the default one first."""


class TopicView(Wire):
    """A topic people can ask about a record, with an example."""

    name: str
    title: str
    example: str


class ChatView(Wire):
    """Chats about a record: the topics to ask about and the fields to change."""

    topics: list[TopicView]
    editable: list[str]
    stale_after_days: float | None
    """From this age on, research counts as out of date; null: never."""


class EvidenceChoicesView(Wire):
    """People can include and exclude the evidence of this role, and see what follows."""

    role: str
    field: str
    """The record's field that keeps the choices."""


class KindView(Wire):
    """A kind of record; its records are at `/api/{kind}`."""

    kind: str
    title: str
    record: Schema
    fields: list[FieldView]
    filters: list[FilterView]
    sorts: list[str]
    """Sort orders of the list besides `relevance`; with a leading `-`, descending."""
    relations: list[RelationView]
    nested: list[NestedView]
    display: DisplayView
    takes_files: bool
    flows: list[FlowView]
    chat: ChatView | None
    evidence_choices: EvidenceChoicesView | None


def describe_kind(pack: Pack, kind: SubjectKind, kinds: Mapping[str, SubjectKind]) -> KindView:
    """A kind of the pack in the form clients get; `kinds` are those of all packs."""
    chat = next((each for each in pack.chats if each.kind == kind.kind), None)
    choices = next((each for each in pack.evidence_choices if each.kind == kind.kind), None)
    wire = wire_names(kind.record)
    topics = chat.topics if chat else ()
    return KindView(
        kind=kind.kind,
        title=kind.title,
        record=record_schema(kind),
        fields=list(fields_of(kind)),
        filters=list(_filters(kind)),
        sorts=[camel(name) for name in (*TIMES, *kind.sorts)],
        relations=list(_relations(kind)),
        nested=[
            NestedView(name=nested_name(child, each), kind=child.kind, relation=camel(each.name))
            for child, each in referring(kinds, kind)
        ],
        display=_display(kind, lambda name: wire[name] if name else None),
        takes_files=kind.attachment is not None,
        flows=[_flow(flow) for flow in pack.flows if flow.kind == kind.kind],
        chat=ChatView(
            topics=[TopicView(name=t.name, title=t.title, example=t.example) for t in topics],
            editable=[wire.get(each.field, each.field) for each in chat.editable],
            stale_after_days=chat.stale_after / timedelta(days=1) if chat.stale_after else None,
        )
        if chat
        else None,
        evidence_choices=EvidenceChoicesView(role=choices.role, field=camel(choices.field))
        if choices
        else None,
    )


def _filters(kind: SubjectKind) -> Iterator[FilterView]:
    for each in filters_of(kind):
        other = each.relation if each.relation and each.field != each.relation.field else None
        yield FilterView(
            parameter=each.parameter,
            field=camel(each.field),
            operator=_OPERATORS[each.operator],
            relation=camel(other.name) if other else None,
            value=TypeAdapter(each.type).json_schema(),
        )


def _relations(kind: SubjectKind) -> Iterator[RelationView]:
    for each in kind.relations:
        yield RelationView(
            name=camel(each.name),
            field=camel(each.field),
            kind=each.target().kind,
            is_required=kind.record.model_fields[each.field].is_required(),
            on_delete=each.on_delete,
        )


def _flow(flow: Flow) -> FlowView:
    nodes = [_node(node) for node in flow.nodes]
    partial = _node(flow.partial) if flow.partial else None
    dossier = schema_of(flow.dossier, answered=True) if flow.dossier else None
    types = [
        RunTypeView(
            name=each.name,
            title=each.title,
            builds_on_earlier=each.builds_on_earlier,
            has_parameters=bool(each.parameters.model_fields),
        )
        for each in flow.types
    ]
    return FlowView(
        id=flow.id,
        version=flow.version,
        nodes=nodes,
        partial=partial,
        dossier=dossier,
        types=types,
    )


def _node(node: Node) -> NodeView:
    return NodeView(name=name_of(node), title=title_of(node))


def fields_of(kind: SubjectKind) -> Iterator[FieldView]:
    """The fields of a kind's records, in order, with their labels and units."""
    wire = wire_names(kind.record)
    for name, info in kind.record.model_fields.items():
        unit = next((item for item in info.metadata if isinstance(item, Unit)), Unit())
        yield FieldView(
            name=wire[name],
            label=info.title or name.replace("_", " ").capitalize(),
            description=info.description or "",
            unit=unit.text,
            unit_field=wire[unit.field] if unit.field else None,
            is_required=info.is_required(),
            is_set_by_research=bool(kind.review and kind.review.field == name),
            can_filter=name in kind.filters,
            can_sort=name in kind.sorts,
            can_search=name in kind.search,
        )


def _display(kind: SubjectKind, wire: Callable[[str | None], str | None]) -> DisplayView:
    shown = kind.display
    first = next((name for name in kind.search if name in kind.record.model_fields), None)
    return DisplayView(
        title=wire(shown.title or first),
        subtitle=wire(shown.subtitle),
        picture=wire(shown.picture),
        state=wire(shown.state),
        tones=dict(shown.tones),
        figures=[word for name in shown.figures if (word := wire(name))],
        conclusions=[
            ConclusionView(path=each.path, label=each.label) for each in shown.conclusions
        ],
    )
