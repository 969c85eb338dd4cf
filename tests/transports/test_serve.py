"""Serving: only to this machine, on the port that was asked for, and ending when it is told to."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
from urllib.parse import urlsplit

import httpx
import pytest

from whence.app.platform import Platform
from whence.kernel.errors import Misconfigured
from whence.transports.serve import serve as serve_api

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", ""])
async def test_an_address_that_others_reach_is_refused_with_the_fix(
    platform: Platform, host: str
) -> None:
    with pytest.raises(Misconfigured, match=r"WHENCE_ACCOUNTS=true.*127\.0\.0\.1.*tunnel"):
        await serve_api(platform, host, 0, print)


async def test_a_port_that_is_taken_is_named_with_the_fix(platform: Platform) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(Misconfigured, match=rf"{port}.*WHENCE_PORT"):
            await serve_api(platform, "127.0.0.1", port, print)


async def test_it_ends_within_its_grace_although_a_client_still_listens(
    platform: Platform, owner: httpx.AsyncClient, serve: str
) -> None:
    note = (await owner.post("/api/notes", json={"title": "A", "text": "b"})).json()["id"]
    job_id = (await owner.post(f"/api/notes/{note}/research")).json()["jobId"]
    url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    handler = signal.getsignal(signal.SIGINT)
    task = asyncio.create_task(serve_api(platform, "localhost", 0, url.set_result))
    address = await url
    assert signal.getsignal(signal.SIGINT) is handler
    headers = {"Authorization": owner.headers["Authorization"]}
    async with (
        httpx.AsyncClient(base_url=address, headers=headers) as client,
        client.stream("GET", f"/api/runs/{job_id}/events") as stream,
    ):
        assert stream.status_code == 200
        task.cancel()
        await asyncio.wait([task], timeout=60)
        assert task.cancelled()
    with pytest.raises(httpx.ConnectError):
        await httpx.AsyncClient().get(address)


async def test_an_answer_does_not_wait_for_the_next_packet(serve: str) -> None:
    """Nagle's algorithm would hold each answer back until a delayed acknowledgement, 40 ms."""
    at = urlsplit(serve)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    writer.write(f"GET /healthz HTTP/1.1\r\nHost: {at.netloc}\r\n\r\n".encode())
    assert await asyncio.wait_for(reader.readline(), 60)
    mine = writer.get_extra_info("sockname")
    [server] = [
        each
        for each in gc.get_objects()
        if isinstance(each, asyncio.Transport) and each.get_extra_info("peername") == mine
    ]
    accepted = server.get_extra_info("socket")
    assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    writer.close()
