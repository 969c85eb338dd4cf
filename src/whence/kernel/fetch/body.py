"""Reads a response body: size-limited after decompression, and JSON without impossible numbers."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import AsyncIterator

from pydantic import JsonValue

from whence.kernel.fetch.errors import BodyTooLarge, MalformedBody

_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32
_MAX_INT_DIGITS = 18
"""Digits that surely fit 64 bits; longer integers stay text (Python refuses above 4,300)."""


class Inflater:
    """Decompresses a body part by part, and never holds more than the limit.

    httpx's own decoders turn a 64 KB part into up to 64 MB before anybody can count.
    """

    def __init__(self, encoding: str, limit: int, host: str) -> None:
        self._limit = limit
        self._host = host
        self._size = 0
        match encoding.strip().lower():
            case "" | "identity":
                self._inflate = None
            case "gzip" | "x-gzip" | "deflate":
                self._inflate = zlib.decompressobj(_GZIP_OR_ZLIB)
            case _:
                raise MalformedBody(
                    f"{host} packed its answer in a way we did not ask for.", host=host
                )

    def feed(self, part: bytes) -> bytes:
        """Decompress one part; raises `BodyTooLarge` beyond the limit."""
        if self._inflate is not None:
            try:
                part = self._inflate.decompress(part, self._limit - self._size + 1)
            except zlib.error as error:
                raise MalformedBody(
                    f"{self._host} sent a damaged compressed answer.", host=self._host
                ) from error
        self._size += len(part)
        if self._size > self._limit:
            raise BodyTooLarge(
                f"{self._host} sent more than {self._limit:,} bytes; nothing of it was kept.",
                host=self._host,
            )
        return part

    def finish(self) -> None:
        """Raises `MalformedBody` when a compressed body stopped in the middle."""
        if self._inflate is not None and self._size and not self._inflate.eof:
            raise MalformedBody(f"{self._host} broke off in mid-answer.", host=self._host)


async def read_bounded(
    parts: AsyncIterator[bytes], *, encoding: str, limit: int, host: str
) -> bytes:
    """The whole plain body; see `Inflater` for the errors."""
    inflater = Inflater(encoding, limit, host)
    plain = bytearray()
    async for part in parts:
        plain += inflater.feed(part)
    inflater.finish()
    return bytes(plain)


def parse_json(body: bytes, host: str) -> JsonValue:
    """JSON as plain values.

    NaN, Infinity, 1e9999 and integers beyond 64 bits stay the **text** they were written as: no
    number that cannot be calculated with ever travels, and the reader refuses the one field or
    row that carries it instead of the whole answer. Raises `MalformedBody`.
    """
    try:
        return json.loads(
            body.decode("utf-8-sig"),
            parse_float=_float,
            parse_int=_int,
            parse_constant=str,
        )
    except (ValueError, RecursionError) as error:
        raise MalformedBody(f"{host} sent an answer that is not JSON.", host=host) from error


def _float(text: str) -> float | str:
    value = float(text)
    return value if math.isfinite(value) else text


def _int(text: str) -> int | str:
    return int(text) if len(text.lstrip("-")) <= _MAX_INT_DIGITS else text
