"""What a request may contain: text that can be stored, finite numbers, JSON of limited depth.

Imported ids may contain `/`, which is written `%2F` in a URL.  Servers decode a URL before they
match it with routes, which makes `n%2F1` and `n/1` the same, so the encoded slash of a record's id
travels as a character that no URL may contain.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator
from typing import Any, NoReturn, cast
from urllib.parse import unquote

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from whence.kernel.errors import Invalid
from whence.transports.edge.error_answers import answer
from whence.transports.edge.problems import FieldError, of_any
from whence.transports.edge.receiving import body_of, is_file, is_streamed, replayed

MAX_INTEGER = 2**63 - 1
"""PostgreSQL's bigint; no field of any record needs more digits."""
MAX_DEPTH = 64
"""Nesting of lists and objects; the deepest body of any route has fewer than ten levels."""
_TOO_DEEP = f"The body has more than {MAX_DEPTH} lists and objects inside each other."


class NotTheFileItself(Invalid):
    """Send the file itself as the body (`curl --data-binary @items.csv`), not a form."""


class CheckedBodies:
    """Refuses bodies that cannot be stored, and passes on the rest.

    Python's parser accepts `NaN`, `1e9999`, lone surrogates and NUL; PostgreSQL and other readers
    of our JSON do not.  Unexpected errors are answered here with their incident id.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def tracked_send(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            _check_address(scope)
            if not is_streamed(scope):
                body = await body_of(receive)
                if _is_json(scope):
                    check_json(body)
                receive = replayed(body, receive)
            await self._app(scope, receive, tracked_send)
        except Exception as error:  # noqa: BLE001 (the edge: it is logged and answered by its id)
            problem = of_any(error, f"{scope['method']} {scope['path']}")
            if not started:
                await answer(problem)(scope, receive, send)


def check_json(body: bytes) -> None:
    """Raise Invalid, with the location, for JSON that cannot be stored and read back."""
    if not body.strip():
        return
    try:
        value = json.loads(body, parse_constant=_no_number, parse_float=_real, parse_int=_countable)
    except ValueError as error:
        raise Invalid(f"The body is not JSON that can be kept: {error}.") from error
    except RecursionError as error:
        raise Invalid(_TOO_DEEP) from error
    for path, text in _texts(value, MAX_DEPTH):
        if "\x00" in text or not _is_unicode(text):
            reason = "holds a character that cannot be stored (NUL or half a surrogate pair)"
            field_error = FieldError(field=path or "body", message=reason)
            raise Invalid(f"'{field_error.field}' {reason}.", errors=[field_error])


def _check_address(scope: Scope) -> None:
    query = cast("bytes", scope["query_string"])
    if "\x00" in scope["path"] or b"%00" in query or b"\x00" in query:
        raise Invalid("The address contains a NUL character (%00); remove it.")


def _is_json(scope: Scope) -> bool:
    media_type = Headers(scope=scope).get("content-type", "").partition(";")[0].strip().lower()
    return not is_file(scope) and media_type.endswith(("/json", "+json"))


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _real(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits[:20]} is no finite number")
    return value


def _countable(digits: str) -> int:
    if len(digits) > 20 or abs(int(digits)) > MAX_INTEGER:
        raise ValueError(f"{digits[:20]} is larger than any whole number here")
    return int(digits)


def _texts(value: Any, depth: int, path: str = "") -> Iterator[tuple[str, str]]:
    if depth == 0:
        raise Invalid(_TOO_DEEP)
    match value:
        case str():
            yield path, value
        case dict():
            for key, inner in cast("dict[str, Any]", value).items():
                yield path, key
                yield from _texts(inner, depth - 1, f"{path}.{key}" if path else key)
        case list():
            for index, inner in enumerate(cast("list[Any]", value)):
                yield from _texts(inner, depth - 1, f"{path}.{index}" if path else str(index))
        case _:
            return


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


SLASH = "\x00"
"""Stands for an encoded slash; every address that really holds a NUL has been refused."""
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
