"""Sends a stored file: streamed, with ranges, and never executed by a browser."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import Request, Response
from fastapi.responses import StreamingResponse

from whence.records.files.files import Files, StoredFile
from whence.tenancy.principal import Principal
from whence.transports.edge.error_answers import answer
from whence.transports.edge.problems import of_error
from whence.transports.edge.ranges import RangeNotSatisfiable, Span, is_known, span_asked

SANDBOX = "default-src 'none'; sandbox"
"""A file is displayed, never run: an uploaded file may contain a hidden web page."""
SHOWN_INLINE = frozenset(
    {"image/jpeg", "image/png", "image/webp", "image/gif", "image/bmp", "image/tiff", "text/plain"}
)
"""Types without active content; every other file is offered as a download."""
DOWNLOAD: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/octet-stream": {}}, "description": "The file"},
    206: {"content": {"application/octet-stream": {}}, "description": "The part asked for"},
    304: {"description": "What the client has is the file as it is"},
    416: {"description": "The file ends before the part that was asked for"},
}
"""`responses` of a route that answers with `download`."""


def download(
    request: Request, files: Files, who: Principal, file: StoredFile, name: str
) -> Response:
    """The file, or the requested part of it; for HEAD, only its headers.

    A browser that cached the file asks each time whether it may still show it.
    """
    etag = f'"{file.digest}"'
    headers = {"Cache-Control": "private, no-cache", "ETag": etag, "Accept-Ranges": "bytes"}
    if is_known(request.headers.get("if-none-match"), etag):
        return Response(status_code=304, headers=headers)
    span: Span | None = None
    if request.method == "GET":
        conditions = request.headers.get("range"), request.headers.get("if-range")
        try:
            span = span_asked(*conditions, etag, file.size)
        except RangeNotSatisfiable as error:
            refused = answer(of_error(error))
            refused.headers["Content-Range"] = f"bytes */{file.size}"
            return refused
    whole = span or Span(0, file.size)
    headers |= {
        "Content-Length": str(whole.end - whole.start),
        "Content-Disposition": _disposition(file.media_type, name),
        "Content-Security-Policy": SANDBOX,
    }
    if span:
        headers["Content-Range"] = span.of(file.size)
    if request.method == "HEAD":
        return Response(media_type=file.media_type, headers=headers)
    return StreamingResponse(
        files.parts(who.org_id, file, whole.start, whole.end),
        status_code=206 if span else 200,
        media_type=file.media_type,
        headers=headers,
    )


def _disposition(media_type: str, name: str) -> str:
    """RFC 6266, with the name in UTF-8."""
    way = "inline" if media_type in SHOWN_INLINE else "attachment"
    return f"{way}; filename*=UTF-8''{quote(name, safe='')}"
