"""A transport that connects to the address it has checked, so that DNS cannot change in between.

The name is resolved once for each connection, every address is checked, and the socket is opened
to a checked number. TLS still names and verifies the host, because httpcore takes the server name
from the request, not from the socket.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import TypeAlias, cast

import httpcore
import httpx

from whence.kernel.fetch.addresses import Zone, zone
from whence.kernel.fetch.errors import AddressRefused

Resolver: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""Host and port to numeric addresses, in the order to try."""

_SocketOption: TypeAlias = (
    tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
)


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """The operating system's answer (hosts file, then DNS), without duplicates."""
    addresses = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in addresses))


class PinnedBackend(httpcore.AsyncNetworkBackend):
    """Opens sockets only to addresses that passed the check of their zone."""

    def __init__(self, resolve: Resolver, private: frozenset[tuple[str, int]]) -> None:
        self._resolve = resolve
        self._private = private
        """Host and port pairs that the operator configured; only these may be private."""
        # httpcore's types hide this class behind an optional import.
        self._sockets = cast(httpcore.AsyncNetworkBackend, httpcore.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[_SocketOption] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        addresses = await self._checked(host, port)
        failure: httpcore.ConnectError | None = None
        for address in addresses:
            try:
                return await self._sockets.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except httpcore.ConnectError as error:
                failure = error
        raise failure or httpcore.ConnectError(f"{host} has no address")

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[_SocketOption] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        raise AddressRefused("A socket file is not an address that can be fetched.")

    async def sleep(self, seconds: float) -> None:
        await self._sockets.sleep(seconds)

    async def _checked(self, host: str, port: int) -> Sequence[str]:
        try:
            addresses = await self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(f"the name {host} was not found") from error
        accepted = {Zone.PUBLIC}
        if (host.lower().rstrip("."), port) in self._private:
            accepted.add(Zone.PRIVATE)
        # One bad address refuses the name: a mixed answer is how rebinding tries its luck.
        if any(zone(address) not in accepted for address in addresses):
            raise AddressRefused(
                f"{host} leads to an address on this machine, a private network or a metadata "
                "service; whence fetches from public addresses only.",
                host=host,
            )
        return addresses


_HTTPCORE_ERRORS = (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError)


def _translated(error: Exception) -> httpx.TransportError:
    """The httpx error for one of httpcore's, so that callers know one library only."""
    if isinstance(error, httpcore.ConnectTimeout | httpcore.ConnectError):
        return httpx.ConnectError(str(error))
    if isinstance(error, httpcore.TimeoutException):
        return httpx.ReadTimeout(str(error))
    if isinstance(error, httpcore.ProtocolError):
        return httpx.RemoteProtocolError(str(error))
    return httpx.ReadError(str(error))


class _Stream(httpx.AsyncByteStream):
    """The body of an answer, with httpcore's errors told as httpx's."""

    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._answer.aiter_stream():
                yield part
        except _HTTPCORE_ERRORS as error:
            raise _translated(error) from error

    async def aclose(self) -> None:
        await self._answer.aclose()


class PinnedTransport(httpx.AsyncBaseTransport):
    """httpx over an httpcore pool whose sockets a `PinnedBackend` opens.

    httpx's own transport takes no network backend, and reads proxies from the environment, which
    would resolve names out of our sight; so the few lines between the two are here.
    """

    def __init__(
        self,
        resolve: Resolver,
        private: frozenset[tuple[str, int]],
        *,
        tls: ssl.SSLContext,
        connections: int,
    ) -> None:
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=tls,
            max_connections=connections,
            max_keepalive_connections=connections,
            keepalive_expiry=15.0,
            network_backend=PinnedBackend(resolve, private),
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if not isinstance(request.stream, httpx.AsyncByteStream):
            raise TypeError("the request body must be readable asynchronously")
        try:
            answer = await self._pool.handle_async_request(
                httpcore.Request(
                    method=request.method,
                    url=httpcore.URL(
                        scheme=request.url.raw_scheme,
                        host=request.url.raw_host,
                        port=request.url.port,
                        target=request.url.raw_path,
                    ),
                    headers=request.headers.raw,
                    content=request.stream,
                    extensions=request.extensions,
                )
            )
        except _HTTPCORE_ERRORS as error:
            raise _translated(error) from error
        return httpx.Response(
            status_code=answer.status,
            headers=answer.headers,
            stream=_Stream(answer),
            extensions=answer.extensions,
        )

    async def aclose(self) -> None:
        await self._pool.aclose()
