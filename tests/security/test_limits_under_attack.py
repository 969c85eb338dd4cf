"""Ways around the limits: credentials that nobody looks at, bodies that never end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from urllib.parse import urlsplit

import httpx
import pytest

from whence.kernel.settings import Settings
from whence.transports.edge import limits

pytestmark = pytest.mark.anyio
PER_MINUTE = 30


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"requests_per_minute": PER_MINUTE})


@asynccontextmanager
async def half_sent(serve: str, head: str) -> AsyncGenerator[asyncio.StreamReader]:
    """A request with this head, of whose body only the first byte is sent."""
    at = urlsplit(serve)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    text = f"{head} HTTP/1.1\r\nHost: {at.netloc}\r\nContent-Length: 9\r\n"
    writer.write(f"{text}Authorization: Bearer whence_no\r\n\r\nx".encode())
    await writer.drain()
    try:
        yield reader
    finally:
        writer.close()


@pytest.mark.parametrize(
    ("method", "path", "sent"),
    [
        ("GET", "/reset?token=x", {"Authorization": "x"}),
        ("GET", "/accept?token=x", {"Cookie": "whence_access=x"}),
        ("GET", "/api/nothing", {"Authorization": "Bearer whence_x"}),
        ("POST", "/api/imports/x", {"Authorization": "Bearer whence_x"}),
        ("GET", "/socket.io/?EIO=4&transport=polling&sid=x", {}),
        ("POST", "/healthz", {"Content-Length": "2"}),
    ],
)
async def test_a_credential_that_is_wrong_or_not_looked_at_counts_for_the_address(
    serve: str, method: str, path: str, sent: dict[str, str]
) -> None:
    content = b"{}" if method == "POST" else None
    async with httpx.AsyncClient(base_url=serve, headers=sent) as client:
        for _ in range(PER_MINUTE):
            assert (await client.request(method, path, content=content)).status_code != 429
        assert (await client.request(method, path, content=content)).status_code == 429


@pytest.mark.parametrize("head", ["POST /api/notes", "POST /healthz", "POST /socket.io/?sid=x"])
async def test_strangers_of_one_address_do_not_fill_the_process(
    serve: str, monkeypatch: pytest.MonkeyPatch, head: str
) -> None:
    monkeypatch.setattr(limits, "MAX_UNKNOWN_AT_ONCE", 3)
    async with AsyncExitStack() as stack:
        for _ in range(3):
            await stack.enter_async_context(half_sent(serve, head))
        await asyncio.sleep(0.2)
        reader = await stack.enter_async_context(half_sent(serve, head))
        assert b"503" in await asyncio.wait_for(reader.readline(), 10)


async def test_whoever_is_known_takes_no_stranger_s_place(
    serve: str, owner_token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_UNKNOWN_AT_ONCE", 1)
    async with httpx.AsyncClient(base_url=serve) as client:
        client.headers["Authorization"] = f"Bearer {owner_token}"
        made = (await client.post("/api/notes", json={"title": "A", "text": "b"})).json()["id"]
        run = (await client.post(f"/api/notes/{made}/research")).json()["jobId"]
        async with (
            client.stream("GET", f"/api/runs/{run}/events") as one,
            client.stream("GET", f"/api/runs/{run}/events") as other,
        ):
            assert (one.status_code, other.status_code) == (200, 200)
            assert (await client.get("/api/me")).status_code == 200
