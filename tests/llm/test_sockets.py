"""Sockets under a model's client: read in steps, and nothing that came is lost."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpcore2
import httpx2
import pytest

from whence.llm.sockets import AT_ONCE, READ_SECONDS, UNREAD_BYTES, Sockets, read_in_steps

pytestmark = pytest.mark.anyio
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
PATIENCE = 10.0


@asynccontextmanager
async def serving(serve: Serve, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """A server on a free port that serves one connection after the other like this."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def opened(port: int) -> httpcore2.AsyncNetworkStream:
    return await Sockets().connect_tcp("localhost", port, timeout=PATIENCE)


async def test_the_first_reads_wait_for_nothing_and_the_next_brings_all_that_came():
    told = asyncio.Queue[bytes]()

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while said := await told.get():
            writer.write(said)
        writer.close()

    async with serving(serve) as port:
        stream = await opened(port)
        loop = asyncio.get_running_loop()
        for number in range(AT_ONCE):
            told.put_nowait(b"%d" % number)
            assert await stream.read(100, PATIENCE) == b"%d" % number
        began = loop.time()
        told.put_nowait(b"some")
        told.put_nowait(b" more")
        assert await stream.read(100, PATIENCE) == b"some more"
        assert loop.time() - began >= READ_SECONDS * 0.9
        told.put_nowait(b"")
        assert await stream.read(100, PATIENCE) == b""
        await stream.aclose()


@pytest.mark.parametrize("broken", [True, False], ids=["broken", "closed"])
async def test_what_came_before_the_end_is_read_before_it_is_told(broken: bool):
    go_on = asyncio.Event()

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"first")
        await go_on.wait()
        if broken:  # a reset, as of a process that was killed
            option = socket.SO_LINGER, b"\1\0\0\0\0\0\0\0"
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, *option)
        writer.write(b"last")
        writer.close()

    async with serving(serve) as port:
        stream = await opened(port)
        for _ in range(AT_ONCE - 1):
            assert await stream.read(5, PATIENCE) == b"first"
        heard = b""
        go_on.set()
        try:
            while data := await stream.read(1, PATIENCE):
                heard += data
        except httpcore2.ReadError:
            assert broken
        assert heard == b"last"


async def test_more_than_is_held_waits_on_the_other_side_and_comes_whole():
    sent = bytes(range(256)) * (6 * UNREAD_BYTES // 256)
    is_sent = asyncio.Event()

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(sent)
        await writer.drain()
        is_sent.set()
        writer.close()

    async with serving(serve) as port:
        stream = await opened(port)
        heard = await stream.read(1, PATIENCE)
        while data := await stream.read(1 << 20, PATIENCE):
            heard += data
        assert heard == sent
        assert is_sent.is_set()


async def test_a_silence_and_a_door_that_is_closed_have_their_names():
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async with serving(serve) as port:
        stream = await opened(port)
        with pytest.raises(httpcore2.ReadTimeout):
            await stream.read(1, timeout=0.01)
        await stream.aclose()
        with pytest.raises(httpcore2.WriteError):
            await stream.write(b"too late")
    with pytest.raises(httpcore2.ConnectError):
        await opened(port)
    with pytest.raises(httpcore2.ConnectError):
        await Sockets().connect_tcp("no-such-host.invalid", 80, timeout=PATIENCE)


async def test_a_connection_that_was_closed_while_nobody_used_it_is_opened_anew():
    connections = 0
    closed = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        writer.close()  # though it had not said so
        await writer.wait_closed()
        closed.set()

    async with serving(serve) as port, httpx2.AsyncClient(timeout=PATIENCE) as plain:
        client = read_in_steps(plain)
        for asked in range(1, 4):
            assert (await client.get(f"http://127.0.0.1:{port}/")).text == "ok"
            assert connections == asked
            await closed.wait()
            closed.clear()
            for _ in range(5):  # until the client's side has heard of it
                await asyncio.sleep(0)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
async def test_what_is_encrypted_is_read_the_same_way_and_whose_it_is_is_checked(tmp_path: Path):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    named = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(
        [*made, *named, "-keyout", key, "-out", certificate], check=True, capture_output=True
    )
    ours = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ours.load_cert_chain(certificate, key)
    theirs = ssl.create_default_context(cafile=str(certificate))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 4000000\r\n\r\n" + b"x" * 4_000_000)
        await writer.drain()
        writer.close()

    async with serving(serve, tls=ours) as port:
        async with read_in_steps(httpx2.AsyncClient(verify=theirs, timeout=PATIENCE)) as client:
            assert len((await client.get(f"https://localhost:{port}/")).content) == 4_000_000
        async with read_in_steps(httpx2.AsyncClient(timeout=PATIENCE)) as stranger:
            with pytest.raises(httpx2.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
                await stranger.get(f"https://localhost:{port}/")
