"""Runs the ASGI application under uvicorn in a program with its own event loop."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import socket
from collections.abc import Callable, Generator

import uvicorn

from whence.app.platform import Platform
from whence.kernel.errors import Misconfigured
from whence.transports.app import asgi
from whence.transports.edge.connections import TimedConnection
from whence.transports.edge.limits import MAX_AT_ONCE
from whence.transports.edge.origins import require_accounts_beyond_loopback
from whence.transports.edge.receiving import MAX_JSON_BYTES
from whence.transports.edge.site import site_of
from whence.transports.edge.unresponsive import close_stuck

GRACE_SECONDS = 2
"""How long running answers may take after a request to stop; open streams are cut off then."""
MAX_CONNECTIONS = 2 * MAX_AT_ONCE
"""Open connections, including idle ones of browsers; one more is answered with 503."""
SPARE_FILES = 200
"""Open files of this process that are not client connections: database, log, libraries."""


class AddressTaken(Misconfigured):
    """Another program listens on this port; stop it, or set WHENCE_PORT (0 picks a free one)."""


async def serve(platform: Platform, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until this task is cancelled; `ready` gets the URL once connections are accepted.

    Port 0 picks a free one.  Signals remain with the caller.  Raises Misconfigured for an address
    that other machines can reach, and for a port in use.
    """
    site = site_of(platform.settings, host)
    require_accounts_beyond_loopback(site, accounts=platform.settings.accounts)
    _allow_files(MAX_CONNECTIONS + SPARE_FILES)
    listening = _listen(host.strip("[]"), port)
    name = f"[{host.strip('[]')}]" if ":" in host else host
    url = f"http://{name}:{listening.getsockname()[1]}"
    config = uvicorn.Config(
        asgi(platform, host),
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=TimedConnection,
        ws_max_size=MAX_JSON_BYTES,
        # A piece of an answer has 200 bytes: to pack it takes longer than all else for it.
        ws_per_message_deflate=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    platform.turns.start()
    server = _Server(config, lambda: ready(url))
    task = asyncio.create_task(server.serve(sockets=[listening]), name="http")
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        server.should_exit = True
        await task
        raise
    finally:
        listening.close()


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers; reports when it accepts connections."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._ready()


def _allow_files(wanted: int) -> None:
    """Raise this process's limit of open files, often 1,024, as far as allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns off Nagle's algorithm (40 ms an answer) only where the protocol is named.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    close_stuck(listening)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        reason = error.strerror or error
        if isinstance(error, socket.gaierror):
            raise AddressTaken(
                f"whence cannot listen on '{host}': {reason}. Set WHENCE_HOST to an address of "
                "this machine, such as 127.0.0.1."
            ) from error
        raise AddressTaken(
            f"whence cannot listen on {host} port {port}: {reason}. End the program that does, or "
            "set WHENCE_PORT to another one (0 picks a free one)."
        ) from error
    return listening
