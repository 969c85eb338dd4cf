"""The OpenAPI document, which is the same for every server of one process of tests."""

from __future__ import annotations

from typing import Any

import httpx

_document: dict[str, Any] = {}


async def document(client: httpx.AsyncClient) -> dict[str, Any]:
    """The document as the server answers it; asked for once, since it takes seconds to make."""
    if not _document:
        _document.update((await client.get("/openapi.json")).raise_for_status().json())
    return _document
