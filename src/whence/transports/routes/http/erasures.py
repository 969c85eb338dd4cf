"""Erases a record or a person for good, and lists erasures; only for owners."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from fastapi import APIRouter
from pydantic import Field, computed_field

from whence.erasure import names, tombstones
from whence.kernel.wire import Wire
from whence.records.item_id import item_id
from whence.transports.edge.access import Owner
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.edge.paging import Cursor, Limit, PageOf, RowCursor, page_of

router = APIRouter(prefix="/api/erasures", tags=["erasures"])
PREVIEW = "preview"


class ErasureSubject(Wire):
    """What to erase."""

    kind: str = Field(max_length=100)
    """A kind of record, such as `items`, or `person`."""
    id: str = Field(min_length=1, max_length=500)
    """Our id or an imported one; for a person the user id or the e-mail."""
    also_known_as: list[str] = Field(default=[], max_length=names.MAX_NAMES)
    """Further names under which conversations and import reports may mention it."""


class ErasureRequest(ErasureSubject):
    """What to erase, and why; the reason is kept, so it should not name anybody."""

    reason: str = Field(min_length=1, max_length=tombstones.MAX_REASON)


class ErasureAnswer(Wire):
    """What remains of an erased record or person."""

    id: UUID
    kind: str
    subject_id: UUID
    reason: str
    erased_by: UUID
    erased_at: datetime
    removed: dict[str, int]
    """Rows that were deleted or emptied, by table."""
    kept: dict[str, int]
    """Rows that remain because something else uses them: evidence of other research, or an account
    that belongs to another organization."""

    @computed_field
    @property
    def item_id(self) -> UUID | None:
        """The same as `subjectId`, where the kind is `items`."""
        return item_id(self.kind, self.subject_id)


@router.post("/preview")
async def preview(platform: CurrentPlatform, who: Owner, body: ErasureSubject) -> ErasureAnswer:
    """Count what an erasure would remove, without changing anything."""
    counted = await platform.eraser.erase(
        who, body.kind, body.id, PREVIEW, also_known_as=body.also_known_as, preview=True
    )
    return ErasureAnswer.model_validate(counted)


@router.post("", status_code=201)
async def erase(platform: CurrentPlatform, who: Owner, body: ErasureRequest) -> ErasureAnswer:
    """Erase a record or a person for good.  Only a backup can restore it.

    A repeated call by id returns the result of the first one.
    """
    erasure = await platform.eraser.erase(
        who, body.kind, body.id, body.reason, also_known_as=body.also_known_as
    )
    return ErasureAnswer.model_validate(erasure)


@router.get("")
async def listed(
    platform: CurrentPlatform, who: Owner, cursor: Cursor = None, limit: Limit = 50
) -> PageOf[ErasureAnswer]:
    """Erasures, newest first."""
    before = RowCursor.read(cursor)
    async with platform.unit(who) as session:
        rows = await tombstones.listed(session, before=before, limit=limit + 1)
    return page_of(
        rows,
        limit,
        ErasureAnswer.model_validate,
        lambda row: RowCursor(row.erased_at, row.id).written(),
    )
