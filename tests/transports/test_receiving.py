"""Receiving requests: clients that send slowly, without end, or no HTTP at all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from whence.transports.edge import receiving
from whence.transports.edge.bodies import MAX_DEPTH
from whence.transports.edge.connections import MAX_HEAD_BYTES, TimedConnection

pytestmark = pytest.mark.anyio
JSON = b"Content-Type: application/json\r\n"


@asynccontextmanager
async def raw(url: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection that sends what it is told to."""
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        yield reader, writer
    finally:
        writer.close()


def head(path: str, *lines: bytes) -> bytes:
    return b"POST %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n" % (path.encode(), b"".join(lines))


async def rest(reader: asyncio.StreamReader) -> bytes:
    """What still comes before the connection is closed, or reset because more was sent."""
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


async def trickle(writer: asyncio.StreamWriter) -> None:
    while True:
        writer.write(b"a")
        await writer.drain()
        await asyncio.sleep(0.05)


async def test_a_head_that_trickles_in_is_not_waited_for(
    serve: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TimedConnection, "head_seconds", 0.5)
    async with raw(serve) as (reader, writer), asyncio.timeout(20):
        for byte in b"GET / HTTP/1.1\r\nHost: local":
            writer.write(bytes([byte]))
            await asyncio.sleep(0.05)
            if reader.at_eof():
                break
        assert await rest(reader) == b""
    async with raw(serve) as (reader, _), asyncio.timeout(20):
        assert await rest(reader) == b""


async def test_a_connection_that_is_kept_is_closed_too_when_the_next_head_trickles(
    serve: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TimedConnection, "head_seconds", 0.5)
    async with raw(serve) as (reader, writer), asyncio.timeout(20):
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert (await reader.readuntil(b"}")).startswith(b"HTTP/1.1 200")
        writer.write(b"GET / HT")
        assert await rest(reader) == b""


@pytest.mark.parametrize("path", ["/api/notes", "/socket.io/?EIO=4&transport=polling"])
async def test_a_body_that_does_not_come_is_not_waited_for(
    serve: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiving, "JSON_SECONDS", 0.3)
    async with raw(serve) as (reader, writer), asyncio.timeout(20):
        writer.write(head(path, JSON, b"Content-Length: 100\r\n") + b"{")
        answer = await reader.read()
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"/problems/too-slow" in answer
    assert b"x-content-type-options" in answer


async def test_a_body_without_end_is_cut_at_the_limit(serve: str) -> None:
    chunk = b"10000\r\n" + b"a" * 0x10000 + b"\r\n"
    for path in ("/api/notes", "/socket.io/?EIO=4&transport=polling"):
        async with raw(serve) as (reader, writer), asyncio.timeout(20):
            writer.write(head(path, JSON, b"Transfer-Encoding: chunked\r\n"))
            for _ in range(20):
                writer.write(chunk)
            assert (await reader.readline()).startswith(b"HTTP/1.1 413"), path


async def test_a_body_that_was_refused_is_thrown_away_only_for_so_long(
    serve: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TimedConnection, "head_seconds", 0.5)
    async with raw(serve) as (reader, writer), asyncio.timeout(20):
        writer.write(head("/api/notes", JSON, b"Content-Length: 9999999\r\n"))
        assert (await reader.readline()).startswith(b"HTTP/1.1 413")
        with pytest.raises(ConnectionError):
            await trickle(writer)


async def test_nobody_unknown_is_given_room_for_a_file(
    owner: httpx.AsyncClient, anonymous: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiving, "MAX_HELD_BYTES", 0)
    path = "/api/imports/sample_pack.notes?filename=a.jsonl"
    refused = await anonymous.post(path, content=b"x")
    assert refused.json()["type"] == "/problems/unauthorized"
    full = await owner.post(path, content=b"x")
    assert (full.status_code, full.json()["type"]) == (503, "/problems/unavailable")


async def test_what_is_no_http_gets_a_problem_document(serve: str) -> None:
    long = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"a" * (MAX_HEAD_BYTES + 1)
    for sent in (b"\x16\x03\x01 hello\r\n\r\n", b"GET / HTTP/1.1\r\nHost : x\r\n\r\n", long):
        async with raw(serve) as (reader, writer), asyncio.timeout(20):
            writer.write(sent)
            answer = await reader.read()
        result, _, body = answer.partition(b"\r\n\r\n")
        assert result.startswith(b"HTTP/1.1 400"), sent[:20]
        assert b"application/problem+json" in result
        assert b"nosniff" in result
        assert json.loads(body)["status"] == 400


async def test_json_that_is_too_deep_is_refused(owner: httpx.AsyncClient) -> None:
    headers = {"Content-Type": "application/json"}
    for depth, words in ((MAX_DEPTH + 1, "inside each other"), (100_000, "inside each other")):
        for content in (b"[" * depth + b"]" * depth, b'{"a":' * depth + b"1" + b"}" * depth):
            refused: Any = await owner.post("/api/notes", content=content, headers=headers)
            assert refused.status_code == 422
            assert depth > 1000 or words in refused.json()["detail"]


@pytest.mark.parametrize("size", [MAX_HEAD_BYTES, 100_000])
async def test_a_large_head_is_refused_also_when_it_comes_at_once(serve: str, size: int) -> None:
    async with raw(serve) as (reader, writer), asyncio.timeout(20):
        writer.write(
            b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: %s\r\n\r\n" % (b"a" * size)
        )
        answer = await reader.read()
    assert answer.startswith(b"HTTP/1.1 400")
    assert b"larger than 32 kB" in answer


async def test_a_head_below_the_limit_is_taken_beside_a_long_body(serve: str) -> None:
    long = b"X-Long: %s\r\n" % (b"a" * (MAX_HEAD_BYTES - 300))
    body = b"a" * 200_000
    length = b"Content-Length: %d\r\n" % len(body)
    async with raw(serve) as (reader, writer), asyncio.timeout(20):
        writer.write(head("/api/notes", JSON, long, length) + body)
        answer = await reader.readuntil(b"\r\n")
    assert answer.startswith((b"HTTP/1.1 401", b"HTTP/1.1 422"))


@pytest.mark.parametrize(
    "lines",
    [
        (b"Content-Length: 2\r\n", b"Transfer-Encoding: chunked\r\n"),
        (b"Transfer-Encoding: chunked\r\n", b"Content-Length: 2\r\n"),
        (b"Transfer-Encoding: gzip\r\n",),
        (b"Content-Length: 2\r\n", b"Content-Length: 3\r\n"),
    ],
)
async def test_a_body_framed_in_two_ways_is_refused(serve: str, lines: tuple[bytes, ...]) -> None:
    async with raw(serve) as (reader, writer), asyncio.timeout(20):
        writer.write(head("/api/notes", JSON, *lines) + b"2\r\n{}\r\n0\r\n\r\n")
        answer = await reader.read()
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.count(b"HTTP/1.1 ") == 1
