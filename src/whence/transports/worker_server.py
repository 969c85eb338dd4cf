"""A worker's own small server: metrics and health, only for programs on this machine."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from whence.app.platform import Platform
from whence.kernel.errors import Misconfigured, WhenceError
from whence.transports.edge.error_answers import answer
from whence.transports.edge.problems import of_error
from whence.transports.edge.process_metrics import failing, scraped
from whence.transports.edge.request_log import NamesRoute, RequestLog, request_of
from whence.transports.routes.http.metrics import CONTENT_TYPE_LATEST, require_operator

HOST = "127.0.0.1"


class MetricsPortTaken(Misconfigured):
    """Another program listens on WHENCE_METRICS_PORT; each worker on a machine needs its own
    port."""


@asynccontextmanager
async def beside_worker(platform: Platform, port: int | None) -> AsyncGenerator[str | None]:
    """Serve `/metrics`, `/healthz` and `/readyz` on loopback; returns the URL, None without a port.

    Port 0 picks a free one.  Raises MetricsPortTaken.
    """
    if port is None:
        yield None
        return
    listening = _listen(port)
    config = uvicorn.Config(
        RequestLog(_application(platform)),
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )
    server = _Server(config)
    task = asyncio.create_task(server.serve(sockets=[listening]), name="metrics")
    try:
        yield f"http://{HOST}:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await asyncio.wait([task])
        listening.close()


def _application(platform: Platform) -> Starlette:
    async def healthz(_: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def readyz(_: Request) -> Response:
        wrong = await failing(platform)
        return JSONResponse(wrong or {"status": "ok"}, status_code=503 if wrong else 200)

    async def metrics(request: Request) -> Response:
        watched = request_of(request.scope)
        sent = request.headers.get("authorization", "")
        try:
            is_direct = watched is not None and watched.is_direct
            require_operator(platform.settings, sent, is_direct=is_direct)
        except WhenceError as error:
            return answer(of_error(error))
        return PlainTextResponse(await scraped(platform), media_type=CONTENT_TYPE_LATEST)

    routes = [Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", metrics)]
    # A page of another site can point its own name here; it must not read along.
    own_names = Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])
    return Starlette(routes=routes, middleware=[own_names, Middleware(NamesRoute)])


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


def _listen(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise MetricsPortTaken from error
    return listening
