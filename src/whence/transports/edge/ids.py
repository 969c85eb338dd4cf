"""Ids that an import brought may hold a `/`; in an address it is written `%2F`.

Servers decode an address before it is matched with routes, where `n%2F1` and `n/1` are the same.
So the encoded slash of a record's id travels as a character that no address may hold.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import cast
from urllib.parse import unquote

from starlette.types import ASGIApp, Receive, Scope, Send

SLASH = "\x00"
"""Stands for an encoded slash; `bodies.py` has refused every address that really holds a NUL."""
_ID_AT = 3
"""Where the id stands in `/api/{kind}/{id}`, counting what is before the first slash."""


class SlashedIds:
    """Marks the encoded slashes in the id of a record, for `unslashed`."""

    def __init__(self, app: ASGIApp, kinds: Collection[str]) -> None:
        self._app = app
        self._kinds = kinds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            raw = cast("bytes", scope.get("raw_path") or b"").decode("latin-1")
            parts = raw.partition("?")[0].split("/")
            if len(parts) > _ID_AT and parts[1] == "api" and parts[2] in self._kinds:
                encoded = parts[_ID_AT]
                if "%2f" in encoded.lower():
                    parts[_ID_AT] = encoded.replace("%2F", SLASH).replace("%2f", SLASH)
                    scope = {**scope, "path": "/".join(unquote(part) for part in parts)}
        await self._app(scope, receive, send)


def unslashed(reference: str) -> str:
    """The id as the record has it."""
    return reference.replace(SLASH, "/")
