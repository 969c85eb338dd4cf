"""The files that records carry: the body is the file itself, its type is what its content is."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request, Response

from whence.records import attachments, store
from whence.records.kind import SubjectKind
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.bodies import NotTheFileItself
from whence.transports.edge.identity import Built
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
SANDBOX = "default-src 'none'; sandbox"
"""A file is shown, never run: whoever uploaded it may have hidden a page in it."""


def file_routes(kind: SubjectKind) -> APIRouter:
    """The routes of the files of a kind; none where its records carry none."""
    router = APIRouter(prefix=f"/api/{kind.kind}/{{id}}/files", tags=[kind.kind])
    if kind.attachment is None:
        return router

    @router.post(
        "",
        status_code=201,
        response_model=None,
        responses=shown_as(kind.view, 201),
        openapi_extra=_BODY,
        name=f"attach_to_{kind.kind}",
    )
    async def attach(
        built: Built,
        who: Writer,
        reference: Reference,
        request: Request,
        response: Response,
        filename: Annotated[str, Query(max_length=255, description="What people call it")] = "",
        if_match: IfMatch = None,
    ) -> dict[str, Any]:
        """Put a file with the record, and answer the record; the same content twice is once."""
        if request.headers.get("content-type", "").startswith("multipart/"):
            raise NotTheFileItself
        content = await request.body()
        version = expected_version(if_match)
        async with built.unit(who) as session:
            row = await store.resolve(session, kind, reference)
            row, digest = await attachments.attach(
                session, who, kind, row, filename, content, version
            )
        response.headers["Location"] = f"/api/{kind.kind}/{row.id}/files/{digest}"
        response.headers["ETag"] = etag(row.version)
        return kind.shown(row)

    @router.get(
        "/{digest}",
        response_class=Response,
        responses={200: {"content": {"application/octet-stream": {}}}},
        name=f"file_of_{kind.kind}",
    )
    async def read(
        built: Built, who: Reader, reference: Reference, digest: Digest, request: Request
    ) -> Response:
        """The file's content, with the media type that was found in it.

        A browser that kept it asks each time whether it may still show it.
        """
        async with built.unit(who) as session:
            row = await store.resolve(session, kind, reference)
            found = await attachments.read(session, kind, row, digest)
        kept = {"Cache-Control": "private, no-cache", "ETag": f'"{digest}"'}
        if request.headers.get("if-none-match") == kept["ETag"]:
            return Response(status_code=304, headers=kept)
        ending = found.media_type.rpartition("/")[2]
        return Response(
            found.content,
            media_type=found.media_type,
            headers={
                "Content-Disposition": f"inline; filename={quote(f'{digest[:12]}.{ending}')}",
                "Content-Security-Policy": SANDBOX,
                **kept,
            },
        )

    @router.delete(
        "/{digest}",
        response_model=None,
        responses=shown_as(kind.view),
        name=f"detach_from_{kind.kind}",
    )
    async def detach(
        built: Built,
        who: Writer,
        reference: Reference,
        digest: Digest,
        response: Response,
        if_match: IfMatch = None,
    ) -> dict[str, Any]:
        """Take a file off the record, and answer the record."""
        version = expected_version(if_match)
        async with built.unit(who) as session:
            row = await store.resolve(session, kind, reference)
            row = await attachments.detach(session, who, kind, row, digest, version)
        response.headers["ETag"] = etag(row.version)
        return kind.shown(row)

    del attach, read, detach
    return router
