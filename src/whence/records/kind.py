"""The declaration of a kind of record; everything generic is derived from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, BinaryIO
from uuid import UUID

from pydantic import BaseModel, ValidationError, create_model
from pydantic_core import to_jsonable_python

from whence.db.tables import SubjectRow
from whence.kernel.errors import NotReady
from whence.kernel.field_errors import faults_of
from whence.kernel.wire import Wire
from whence.records.display import Display
from whence.records.files.rows import AttachmentRow
from whence.records.relation import OnDelete, RecordRef


class SubjectMeta(Wire):
    """The fields the engine adds to every record."""

    id: UUID
    external_id: str | None = None
    version: int
    created_at: datetime
    updated_at: datetime
    not_valid: list[str] | None = None
    """For a record stored under older rules: its errors under today's rules, by field."""


CHECKED = "not_valid"
"""The only field of `SubjectMeta` that is not a column."""
Entry = Mapping[str, Any]


class ListedFile(Wire):
    """A file attached to a record, as the record lists it."""

    name: str
    digest: str
    media_type: str


def listed_file(name: str, digest: str, media_type: str) -> Entry:
    """The default list entry of an attached file: a `ListedFile`."""
    return ListedFile(name=name, digest=digest, media_type=media_type).model_dump(mode="json")


def digest_listed(entry: Any) -> str | None:
    """The digest in an entry of `listed_file`."""
    try:
        return ListedFile.model_validate(entry).digest
    except ValidationError:
        return None


@dataclass(frozen=True)
class Attachment:
    """How records of a kind carry files; their rows are `CarriesFiles`.

    `field` is the field of the record that lists them, where it has one: entries of the files that
    it carries, and then those of its own column of that name, if there is one.  `check` reads the
    file and gives the media type that its content really has; it raises Invalid for anything else
    than the pack takes, and runs in a thread.
    `entry(name, digest, media_type)` makes an entry; `digest_of(entry)` is None for one that is no
    file of ours.  What a client writes into the field changes the column alone: files are attached
    and detached one by one.
    """

    check: Callable[[BinaryIO], str]
    max_bytes: int
    most: int = 1_000
    """Files that one record may carry."""
    field: str | None = None
    entry: Callable[[str, str, str], Entry] = listed_file
    digest_of: Callable[[Any], str | None] = digest_listed


@dataclass(frozen=True)
class Relation:
    """A reference to another record: `Relation("buyer", lambda: BUYERS)`.

    The record has the field `buyer_id: RecordId` (or `RecordId | None`), and its table the column
    `buyer_id uuid` with `FOREIGN KEY (org_id, buyer_id) REFERENCES buyers`.  A record is answered
    with `buyerId` and, as `buyer`, what it points at.
    """

    name: str
    target: Callable[[], SubjectKind]
    """A function, so that kinds may refer to each other and to themselves."""
    on_delete: OnDelete = OnDelete.RESTRICT
    nested: str | None = None
    """What the list of these records is called below the other one's address; their kind when
    None.  Two relations of one kind to the same other kind need two names."""

    @property
    def field(self) -> str:
        """The record's field, and the column, that holds the reference."""
        return f"{self.name}_id"


class NotValidAnyMore(NotReady):
    """This record was stored under older rules and is no longer valid; correct its fields."""


def _always_ready(_: Any) -> str | None:
    return None


def _no_intake() -> None:
    return None


@dataclass(frozen=True)
class ReviewState:
    """The field of a record that shows whether research is on, such as `ai_review_state`.

    The engine sets `active` when research is requested, `done` when it succeeds, and otherwise the
    value from before. A value that a node or a person sets meanwhile stays.
    """

    field: str
    active: str
    done: str


@dataclass(frozen=True)
class SubjectKind:
    """A kind of record: its plural on the wire, its typed record and the table that keeps it.

    The table has a column for every field of the record.  `search` names the columns that a text
    search looks into, the one that people know a record by first.  `filters` names the fields that
    a list can be narrowed by and counted over, `sorts` those it can be sorted by besides the two
    times.  `not_ready` says in words why a record cannot be researched, or None; `settled` says why
    it need not be, which a request may override.  `attachment` lets its records carry files,
    `relations` lets them refer to other records.
    """

    kind: str
    title: str
    record: type[Wire]
    row: type[SubjectRow]
    search: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    sorts: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    not_ready: Callable[[Any], str | None] = field(default=_always_ready)
    settled: Callable[[Any], str | None] = field(default=_always_ready)
    review: ReviewState | None = None
    intake: Callable[[], str | None] = field(default=_no_intake)
    """The type of run that starts for each new record, created or imported; None for none."""
    follow_ups: tuple[tuple[str, str], ...] = ()
    """Fields, each with the type of run that starts when it changes on a researched record."""
    attachment: Attachment | None = None
    display: Display = field(default_factory=Display)
    """Which fields to show first, for clients that draw any kind."""

    def __post_init__(self) -> None:
        self.display.check(self.kind, self.record)

    @property
    def name(self) -> str:
        """The title as the name of a type: `LeaveRequest`."""
        return "".join(word[:1].upper() + word[1:] for word in self.title.split())

    @property
    def id_name(self) -> str:
        """The name of a subject's id among others on the wire: `leaveRequestId`."""
        return f"{self.name[:1].lower()}{self.name[1:]}Id"

    def counted(self, number: int) -> str:
        """A number of its records in words: `1 note`, `2 notes`."""
        return f"1 {self.title.lower()}" if number == 1 else f"{number} {self.plural}"

    @property
    def plural(self) -> str:
        """What several of its records are called in a sentence: `leave requests`."""
        return self.kind.replace("-", " ")

    @cached_property
    def view(self) -> type[BaseModel]:
        """The record in responses: its own fields, the engine's, and the records it refers to."""
        referred: dict[str, Any] = {each.name: (RecordRef | None, None) for each in self.relations}
        return create_model(f"{self.name}View", __base__=(self.record, SubjectMeta), **referred)

    @cached_property
    def patch(self) -> type[BaseModel]:
        """The record in PATCH requests: every field optional, absent means unchanged."""
        fields: dict[str, Any] = {}
        for name, info in self.record.model_fields.items():
            absent = copy(info)
            absent.default, absent.default_factory = None, None
            fields[name] = (info.annotation, absent)
        return create_model(f"{self.name}Patch", __base__=Wire, **fields)

    def columns(self, record: BaseModel) -> dict[str, Any]:
        """The record's fields as column values (nested models and enums as JSON)."""
        values = record.model_dump(mode="json")
        if self.attachment and (field := self.attachment.field):
            own = self._own(values.pop(field))
            if field in self.row.__table__.columns:
                values[field] = own
        return values

    def with_files(self, row: SubjectRow, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values from a client, with the row's attached files in the field that lists them, and
        without any other file they name."""
        field = self.attachment.field if self.attachment else None
        entries = values.get(field) if field else None
        own = self._own(entries) if isinstance(entries, list) else entries
        return self._listed(row, {**values, field: own} if field else values)

    def _listed(self, row: SubjectRow, values: Mapping[str, Any]) -> dict[str, Any]:
        if not (self.attachment and (field := self.attachment.field)):
            return dict(values)
        entry, entries = self.attachment.entry, values.get(field) or []
        attached: Sequence[AttachmentRow] = getattr(row, "attached", ())
        files = [entry(each.name, each.digest, each.media_type) for each in attached]
        return {**values, field: [*files, *entries] if isinstance(entries, list) else entries}

    def _own(self, entries: Sequence[Any]) -> list[Any]:
        assert self.attachment is not None
        return [entry for entry in entries if self.attachment.digest_of(entry) is None]

    def parse(self, row: SubjectRow) -> Wire:
        """The typed record of a row; raises NotValidAnyMore."""
        try:
            return self.record.model_validate(self._stored(row))
        except ValidationError as error:
            wrong = "; ".join(_error_lines(error, self.record))
            raise NotValidAnyMore(f"This {self.title.lower()} has to be corrected: {wrong}.") from (
                error
            )

    @property
    def title_column(self) -> str | None:
        """The column people know a record by; None for a kind without search."""
        return self.search[0] if self.search else None

    def shown(
        self, row: SubjectRow, referred: Mapping[str, RecordRef | None] | None = None
    ) -> dict[str, Any]:
        """A row as JSON for the wire; a record that is no longer valid is shown with its errors.

        `referred` holds the records the row refers to, by relation; `references.shown` looks them
        up.
        """
        values = self._stored(row, *(name for name in SubjectMeta.model_fields if name != CHECKED))
        values |= referred or {}
        try:
            view = self.view.model_validate(values)
        except ValidationError as error:
            view = self.view.model_construct(
                None, **values, **{CHECKED: _error_lines(error, self.view)}
            )
        return view.model_dump(mode="json", by_alias=True, warnings=False)

    def before(self, row: SubjectRow) -> dict[str, Any]:
        """A row's column values in the form of `columns`, for comparison."""
        try:
            return self.columns(self.parse(row))
        except NotValidAnyMore:
            return to_jsonable_python(self._stored(row))

    def _stored(self, row: SubjectRow, *more: str) -> dict[str, Any]:
        fields = [name for name in (*self.record.model_fields, *more) if hasattr(row, name)]
        return self._listed(row, {name: getattr(row, name) for name in fields})


def _error_lines(error: ValidationError, model: type[BaseModel]) -> list[str]:
    return [str(fault) for fault in faults_of(error, model, whole="record")]


Kinds = Mapping[str, SubjectKind]
