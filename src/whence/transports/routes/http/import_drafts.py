"""An uploaded file before its import: what it would do, its columns, and its start."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter
from pydantic import Field, StringConstraints

from whence.kernel.wire import Wire
from whence.records.imports import drafts, earlier, reports
from whence.records.imports.importer import ImportContext
from whence.records.imports.preview import Preview, preview
from whence.records.imports.running import Importer
from whence.transports.edge.access import Writer
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.routes.import_view import StoredImportAnswer, stored_import

router = APIRouter(prefix="/api/imports", tags=["imports"])
MAX_CHOSEN = 1_000
"""Columns whose field may be chosen; no file has more columns."""
Header = Annotated[str, StringConstraints(max_length=1_000)]


class ImportChoice(Wire):
    """How a file is to be imported."""

    mapping: dict[Header, Header] = Field(default_factory=dict, max_length=MAX_CHOSEN)
    """Header to field (`attr:NAME` for an attribute, `ignore` to leave the column out).  Headers
    that are not named are understood by their words."""
    clear_empty: bool = False
    """An empty cell clears its field; otherwise the record keeps its value."""


class ImportColumn(Wire):
    """A column of the file."""

    header: str
    field: str | None
    """The field that it is read as, `attr:NAME` for an attribute; null if it is not read."""
    samples: list[str]
    """What its first filled cells hold."""


class ImportField(Wire):
    """A field that a column may be read as."""

    name: str
    label: str
    is_required: bool
    many: bool
    """Whether several columns may feed it."""


class ImportRow(Wire):
    """A row as it would be written."""

    line: int
    external_id: str
    record: Mapping[str, Any]
    warnings: list[str]
    outcome: Literal["added", "updated", "unchanged"] | None
    """Null for a row whose writing was not tried."""
    changed: list[str]


class ImportRefusedRow(Wire):
    """A row that would be refused."""

    line: int
    field: str | None
    value: str
    reason: str


class EarlierImport(Wire):
    """An import that was started before, and the columns that a person chose for it."""

    id: UUID
    filename: str
    at: datetime
    mapping: dict[str, str]


class ImportPreview(Wire):
    """What an import would do.  Nothing was written."""

    columns: list[ImportColumn]
    fields: list[ImportField]
    keeps_unknown: bool
    """Whether a column without a field becomes an attribute of the record."""
    missing: list[str]
    """Required fields that no column holds; without them nothing can be imported."""
    rows: list[ImportRow]
    """The first rows that can be written."""
    refused: list[ImportRefusedRow]
    """The first refused rows."""
    read: int
    refused_count: int
    is_whole: bool
    """Whether the whole file was read."""
    tried: int
    """Rows whose writing was tried, and taken back."""
    outcomes: Mapping[str, int]
    """What the tried rows would become: `added`, `updated`, `unchanged`."""
    notes: list[str]
    format: str | None
    encoding: str | None
    same_file: EarlierImport | None = None
    """The last import of this very file, unless it was undone."""
    same_columns: EarlierImport | None = None
    """The last import with the same headers for which columns were chosen, to choose them again."""


@router.post("/{importId}/preview")
async def preview_import(
    importId: UUID,  # noqa: N803
    platform: CurrentPlatform,
    who: Writer,
    body: ImportChoice,
) -> ImportPreview:
    """What the import of a stored file would do with this choice of columns.  Writes nothing."""
    async with platform.unit(who) as session:
        stored = await reports.get_import(session, importId)
    importer = platform.importer(stored.name)
    context = ImportContext(
        who,
        platform.db,
        platform.settings,
        clear_empty=body.clear_empty,
        mapping=body.mapping,
    )
    async with platform.imports.opened(who, importId) as path:
        answer = _answer(importer, await preview(context, importer, path))
    headers = [column.header for column in answer.columns]
    async with platform.unit(who) as session:
        same_file = await earlier.of_same_file(session, importId)
        same_columns = await earlier.with_same_columns(session, importId, headers)
    return answer.model_copy(
        update={
            "same_file": same_file and EarlierImport.model_validate(same_file),
            "same_columns": same_columns and EarlierImport.model_validate(same_columns),
        }
    )


@router.post("/{importId}/start", status_code=202)
async def start_import(
    importId: UUID,  # noqa: N803
    platform: CurrentPlatform,
    who: Writer,
    body: ImportChoice,
) -> StoredImportAnswer:
    """Queue the import of an uploaded file with this choice of columns.

    Calling it again changes nothing.
    """
    async with platform.unit(who) as session:
        stored = await platform.imports.start(
            session, who, importId, body.mapping, clear_empty=body.clear_empty
        )
    return stored_import(stored)


@router.post("/{importId}/resume", status_code=202)
async def resume_import(
    importId: UUID,  # noqa: N803
    platform: CurrentPlatform,
    who: Writer,
) -> StoredImportAnswer:
    """Continue an import that failed or was cancelled after its last batch, with the same columns.

    409 if it was undone, or if its file is not stored any more.
    """
    async with platform.unit(who) as session:
        return stored_import(await platform.imports.resume(session, who, importId))


@router.delete("/{importId}", status_code=204)
async def discard_import(importId: UUID, platform: CurrentPlatform, who: Writer) -> None:  # noqa: N803
    """Discard an uploaded file whose import was not started.  409 for any other import."""
    async with platform.unit(who) as session:
        await drafts.discard(session, who, importId)


def _answer(importer: Importer[Any], result: Preview) -> ImportPreview:
    labels = _labels(importer)
    fields = [
        ImportField(
            name=each.name,
            label=labels.get(each.name) or _in_words(each.name),
            is_required=each.is_required,
            many=each.many,
        )
        for each in result.fields
    ]
    values = {
        name: getattr(result, name) for name in ImportPreview.model_fields if hasattr(result, name)
    }
    return ImportPreview.model_validate({**values, "fields": fields})


def _labels(importer: Importer[Any]) -> dict[str, str]:
    """The labels of the kind's fields, by the fields' names."""
    if importer.kind is None:
        return {}
    fields = importer.kind.record.model_fields
    return {name: info.title for name, info in fields.items() if info.title}


def _in_words(name: str) -> str:
    return "ID" if name == "id" else name.replace("_", " ").capitalize()
