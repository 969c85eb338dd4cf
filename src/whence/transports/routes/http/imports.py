"""Importing an uploaded file: the same importers as `whence import`, with the file as the body."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field

from whence.kernel.wire import Wire
from whence.sdk.imports import ImportContext
from whence.transports.edge.access import Writer
from whence.transports.edge.bodies import NotTheFileItself
from whence.transports.edge.identity import Built

router = APIRouter(prefix="/api/imports", tags=["imports"])
_BODY = {"requestBody": {"required": True, "content": {"application/octet-stream": {}}}}


class RefusalAnswer(Wire):
    """A row that was not taken, and why."""

    line: int
    field: str | None
    value: str
    reason: str


class ImportAnswer(Wire):
    """What an import did; `mapping` says which column was read as which field."""

    added: int
    updated: int
    unchanged: int
    refused: list[RefusalAnswer]
    warnings: list[str]
    mapping: Mapping[str, str] = Field(default_factory=dict)
    ignored: list[str]


@router.post("/{name}", openapi_extra=_BODY)
async def import_file(
    name: str,
    built: Built,
    who: Writer,
    request: Request,
    filename: Annotated[str, Query(max_length=255, description="Its ending tells the format")],
) -> ImportAnswer:
    """Import a file; `name` is `<pack>.<importer>`, the body is the file itself."""
    importer = built.importer(name)
    if request.headers.get("content-type", "").startswith("multipart/"):
        raise NotTheFileItself
    content = await request.body()
    context = ImportContext(who, built.db, built.settings)
    with tempfile.TemporaryDirectory(prefix="whence-import-") as folder:
        path = Path(folder) / plain_name(filename)
        await asyncio.to_thread(path.write_bytes, content)
        report = await importer.run(context, path)
    return ImportAnswer.model_validate(report)


def plain_name(filename: str) -> str:
    """A safe name with the ending of the user's: `../Été 1.CSV` is `upload.csv`."""
    ending = PurePosixPath(filename.replace("\\", "/")).suffix.lower()
    letters = ending.removeprefix(".")
    return f"upload{ending}" if letters.isascii() and letters.isalnum() else "upload"
