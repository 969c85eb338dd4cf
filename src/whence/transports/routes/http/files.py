"""The files that records carry: the body is the file itself, its type is what its content is."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from whence.records import attachments, store
from whence.records.kind import SubjectKind
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.bodies import NotTheFileItself
from whence.transports.edge.downloads import DOWNLOAD, download
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


def file_routes(kind: SubjectKind) -> APIRouter:
    """The routes of the files of a kind; none where its records carry none."""
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
        version = expected_version(if_match)
        limit = min(limit_of_kind, built.files.spool.max_bytes)
        async with built.unit(who) as session:
            await store.resolve(session, kind, reference)
        async with (
            built.files.spool.receive(request.stream(), limit) as file,
            built.unit(who) as session,
        ):
            row = await store.resolve(session, kind, reference)
            row, digest = await attachments.attach(
                session, who, kind, row, built.files, filename, file, version
            )
        response.headers["Location"] = f"/api/{kind.kind}/{row.id}/files/{digest}"
        response.headers["ETag"] = etag(row.version)
        return kind.shown(row)

    async def read(
        built: Built, who: Reader, reference: Reference, digest: Digest, request: Request
    ) -> Response:
        """The file's content, with the media type that was found in it; `Range` gives a part."""
        async with built.unit(who) as session:
            row = await store.resolve(session, kind, reference)
            file = await attachments.find(session, kind, row, built.files, digest)
        ending = file.media_type.rpartition("/")[2]
        return download(request, built.files, who, file, f"{digest[:12]}.{ending}")

    router.add_api_route(
        "/{digest}",
        read,
        methods=["GET"],
        response_class=Response,
        responses=DOWNLOAD,
        name=f"file_of_{kind.kind}",
    )
    router.add_api_route("/{digest}", read, methods=["HEAD"], include_in_schema=False)

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

    del attach, detach
    return router
