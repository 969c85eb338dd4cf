"""Sockets under a provider's HTTP client that are read at most 25 times a second.

Providers send every token as a packet of its own.  What reading costs goes by the number of reads,
and nobody sees one token from the next: 50 conversations bring 2,500 tokens a second.  What came
before a connection broke is read before it is told.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, cast

import httpcore2
import httpx2
from aiohappyeyeballs import start_connection

READ_SECONDS = 0.04
"""Two tokens of a model that writes 50 a second; far below what a reader sees as a pause."""
AT_ONCE = 2
"""Reads of an answer that wait for nothing: of its head, and of the first text."""
UNREAD_BYTES = 1 << 20
"""Beyond this much that nobody has read yet, the other side has to wait."""
NEXT_ADDRESS_SECONDS = 0.25
"""After which the next address is tried beside the one before; what RFC 8305, section 5, says."""
_Option: TypeAlias = (
    tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
)


class _Received(asyncio.Protocol):
    """What came over a connection and was not read yet."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.is_over = False
        self.error: Exception | None = None
        self.changed = asyncio.Event()
        """Something came, or nothing more will."""
        self.writable = asyncio.Event()
        self.writable.set()
        self.transport: asyncio.Transport | None = None
        self._is_held = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self.data += data
        self.changed.set()
        if len(self.data) > UNREAD_BYTES and self.transport and not self._is_held:
            self._is_held = True
            self.transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_over, self.error = True, exc
        self.changed.set()
        self.writable.set()

    def eof_received(self) -> None:
        self.is_over = True
        self.changed.set()

    def pause_writing(self) -> None:
        self.writable.clear()

    def resume_writing(self) -> None:
        self.writable.set()

    def take(self, most: int) -> bytes:
        taken = bytes(self.data[:most])
        del self.data[:most]
        if not self.data and not self.is_over:
            self.changed.clear()
        if self._is_held and self.transport and not self.transport.is_closing():
            self._is_held = False
            self.transport.resume_reading()
        return taken


class _Connection(httpcore2.AsyncNetworkStream):
    def __init__(self, transport: asyncio.Transport, received: _Received) -> None:
        self._transport = transport
        self._received = received
        self._reads = 0
        """Since something was last written."""

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._reads >= AT_ONCE:
            await asyncio.sleep(READ_SECONDS)
        self._reads += 1
        received = self._received
        if not received.changed.is_set():
            try:
                async with asyncio.timeout(timeout):
                    await received.changed.wait()
            except TimeoutError as error:
                raise httpcore2.ReadTimeout(str(error)) from error
        if not received.data and received.error is not None:
            raise httpcore2.ReadError(str(received.error)) from received.error
        return received.take(max_bytes)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._reads = 0
        received = self._received
        if received.is_over or self._transport.is_closing():
            raise httpcore2.WriteError("the connection is closed")
        self._transport.write(buffer)
        try:
            async with asyncio.timeout(timeout):
                await received.writable.wait()
        except TimeoutError as error:
            raise httpcore2.WriteTimeout(str(error)) from error
        if received.error is not None:
            raise httpcore2.WriteError(str(received.error)) from received.error

    async def aclose(self) -> None:
        self._transport.abort()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(timeout):
                encrypted = await loop.start_tls(
                    self._transport,
                    self._received,
                    ssl_context,
                    server_hostname=server_hostname,
                )
        except TimeoutError as error:
            self._transport.abort()
            raise httpcore2.ConnectTimeout(str(error)) from error
        except OSError as error:  # what TLS raises is one, too
            self._transport.abort()
            raise httpcore2.ConnectError(str(error)) from error
        assert encrypted is not None  # only where the connection was closed meanwhile
        self._received.transport = encrypted
        return _Connection(encrypted, self._received)

    def get_extra_info(self, info: str) -> Any:
        match info:
            case "is_readable":  # asked of an idle connection, which is then given up
                return self._received.is_over or bool(self._received.data)
            case "ssl_object" | "socket":
                return self._transport.get_extra_info(info)
            case "client_addr":
                return self._transport.get_extra_info("sockname")
            case "server_addr":
                return self._transport.get_extra_info("peername")
            case _:
                return None


def read_in_steps(client: httpx2.AsyncClient) -> httpx2.AsyncClient:
    """The client, on such sockets, also where it goes through the environment's proxies.

    Its transports take none from outside, as their pools do.
    """
    inside: Any = client
    for transport in (inside._transport, *inside._mounts.values()):
        if transport is not None:  # None: where the environment asks for no proxy
            transport._pool._network_backend = Sockets()
    return client


class Sockets(httpcore2.AsyncNetworkBackend):
    """Opens such connections, to whichever of a host's addresses answers first (RFC 8305)."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[_Option] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        loop = asyncio.get_running_loop()
        local = await _addresses(local_address, 0) if local_address else None
        try:
            async with asyncio.timeout(timeout):
                opened = await start_connection(
                    await _addresses(host, port),
                    local_addr_infos=local,
                    happy_eyeballs_delay=NEXT_ADDRESS_SECONDS,
                    interleave=1,
                )
                opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for option in socket_options or ():
                    opened.setsockopt(*cast("tuple[int, int, int]", option))
                transport, received = await loop.create_connection(_Received, sock=opened)
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(str(error)) from error
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        return _Connection(transport, received)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def _addresses(host: str, port: int) -> Sequence[Any]:
    return await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
