"""Files attached to records: the body is the file itself, and its content decides the type."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.tables import SubjectRow
from whence.kernel.wire import Wire
from whence.records import attachments, references, store
from whence.records.files.files import StoredFile
from whence.records.files.rows import AttachmentRow
from whence.records.kind import SubjectKind
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.bodies import NotTheFileItself
from whence.transports.edge.downloads import DOWNLOAD, download
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.edge.paging import (
    BadCursor,
    Cursor,
    Limit,
    PageOf,
    read_cursor,
    write_cursor,
)
from whence.transports.routes.http.subjects import (
    IfMatch,
    Reference,
    etag,
    expected_version,
    shown_as,
)

_BODY = {"requestBody": {"required": True, "content": {"application/octet-stream": {}}}}
Digest = Annotated[
    str, Path(pattern="^[0-9a-f]{64}$", description="SHA-256 of the file's content, hex")
]


class AttachmentAnswer(Wire):
    """A file attached to a record."""

    digest: str
    """SHA-256 of the content, in hex."""
    name: str
    media_type: str
    """The media type detected in the content."""
    size: int
    """Bytes."""
    position: int
    caption: str
    added_by: UUID
    added_at: datetime
    url: str

    @classmethod
    def of(cls, kind: str, row: AttachmentRow) -> AttachmentAnswer:
        """The wire form of an attachment."""
        url = f"/api/{kind}/{row.subject_id}/files/{row.digest}"
        values = {name: getattr(row, name) for name in cls.model_fields if name != "url"}
        return cls(**values, url=url)


class AttachmentChange(Wire):
    """What to change; absent fields stay unchanged."""

    name: str | None = Field(default=None, min_length=1, max_length=255)
    caption: str | None = Field(default=None, max_length=attachments.MAX_CAPTION)
    position: int | None = Field(default=None, ge=0, le=1_000_000)
    """Position among the record's files, from 0."""


def file_routes(kind: SubjectKind) -> APIRouter:
    """The routes of a kind's files; none if its records have no files."""
    router = APIRouter(prefix=f"/api/{kind.kind}/{{id}}/files", tags=[kind.kind])
    if kind.attachment is None:
        return router
    limit_of_kind = kind.attachment.max_bytes

    @router.post(
        "",
        status_code=201,
        response_model=None,
        responses=shown_as(kind.view, 201),
        openapi_extra=_BODY,
        name=f"attach_to_{kind.kind}",
    )
    async def attach(
        platform: CurrentPlatform,
        who: Writer,
        reference: Reference,
        request: Request,
        response: Response,
        filename: Annotated[str, Query(max_length=255, description="What people call it")] = "",
        if_match: IfMatch = None,
    ) -> dict[str, Any]:
        """Attach a file to the record and return the record; the same content is attached only
        once."""
        if request.headers.get("content-type", "").startswith("multipart/"):
            raise NotTheFileItself
        version = expected_version(if_match)
        limit = min(limit_of_kind, platform.files.spool.max_bytes)
        async with platform.unit(who) as session:
            await store.resolve(session, kind, reference)
        async with (
            platform.files.spool.receive(request.stream(), limit) as file,
            platform.unit(who) as session,
        ):
            row = await store.resolve(session, kind, reference)
            row, digest = await attachments.attach(
                session, who, kind, row, platform.files, filename, file, version
            )
            response.headers["Location"] = f"/api/{kind.kind}/{row.id}/files/{digest}"
            return await _shown(session, kind, row, response)

    async def read(
        platform: CurrentPlatform,
        who: Reader,
        reference: Reference,
        digest: Digest,
        request: Request,
    ) -> Response:
        """The file's content, with the media type detected in it; `Range` selects a part."""
        async with platform.unit(who) as session:
            row = await store.resolve(session, kind, reference)
        attachment = attachments.find(kind, row, digest)
        file = StoredFile(attachment.digest, attachment.media_type, attachment.size)
        return download(request, platform.files, who, file, attachment.name)

    router.add_api_route(
        "/{digest}",
        read,
        methods=["GET"],
        response_class=Response,
        responses=DOWNLOAD,
        name=f"file_of_{kind.kind}",
    )
    router.add_api_route("/{digest}", read, methods=["HEAD"], include_in_schema=False)

    @router.get("", name=f"files_of_{kind.kind}")
    async def listed(
        platform: CurrentPlatform,
        who: Reader,
        reference: Reference,
        cursor: Cursor = None,
        limit: Limit = 50,
    ) -> PageOf[AttachmentAnswer]:
        """The record's files, in order."""
        after = _position(cursor) if cursor else -1
        async with platform.unit(who) as session:
            row = await store.resolve(session, kind, reference)
            attached = await attachments.page(session, row, after=after, limit=limit + 1)
        items = [AttachmentAnswer.of(kind.kind, each) for each in attached[:limit]]
        more = len(attached) > limit
        return PageOf(
            items=items, next_cursor=write_cursor(attached[limit - 1].position) if more else None
        )

    @router.patch(
        "/{digest}",
        response_model=None,
        responses=shown_as(kind.view),
        name=f"change_file_of_{kind.kind}",
    )
    async def change(
        platform: CurrentPlatform,
        who: Writer,
        reference: Reference,
        digest: Digest,
        body: AttachmentChange,
        response: Response,
        if_match: IfMatch = None,
    ) -> dict[str, Any]:
        """Rename a file, caption it, or move it among the record's files; returns the record."""
        version = expected_version(if_match)
        async with platform.unit(who) as session:
            row = await store.resolve(session, kind, reference)
            changes = body.model_dump(exclude_none=True)
            row = await attachments.change(
                session, who, kind, row, digest, if_match=version, **changes
            )
            return await _shown(session, kind, row, response)

    @router.delete(
        "/{digest}",
        response_model=None,
        responses=shown_as(kind.view),
        name=f"detach_from_{kind.kind}",
    )
    async def detach(
        platform: CurrentPlatform,
        who: Writer,
        reference: Reference,
        digest: Digest,
        response: Response,
        if_match: IfMatch = None,
    ) -> dict[str, Any]:
        """Detach a file from the record and return the record."""
        version = expected_version(if_match)
        async with platform.unit(who) as session:
            row = await store.resolve(session, kind, reference)
            row = await attachments.detach(session, who, kind, row, digest, version)
            return await _shown(session, kind, row, response)

    del attach, listed, change, detach
    return router


async def _shown(
    session: AsyncSession, kind: SubjectKind, row: SubjectRow, response: Response
) -> dict[str, Any]:
    """The current record, with its version."""
    response.headers["ETag"] = etag(row.version)
    [shown] = await references.shown(session, kind, [row])
    return shown


def _position(cursor: str) -> int:
    [position] = read_cursor(cursor, 1)
    if not position.isascii() or not position.isdigit():
        raise BadCursor
    return int(position)
