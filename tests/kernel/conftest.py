"""A small web server that plays the outside world, on a free port of this machine."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import httpx
import pytest
from aiohttp import web

from whence.kernel.fetch import Fetcher, Limits, Reach
from whence.kernel.retry import RetryPolicy

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Outside:
    """What answers, and what it was asked."""

    base: str = ""
    port: int = 0
    handler: Handler | None = None
    requests: list[web.Request] = field(default_factory=list)

    def answers(self, *responses: Callable[[], web.StreamResponse]) -> None:
        """One response after another; the last one stays."""
        queue = list(responses)

        async def handler(_: web.Request) -> web.StreamResponse:
            return (queue.pop(0) if len(queue) > 1 else queue[0])()

        self.handler = handler


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def tls() -> ssl.SSLContext:
    """Read once: it takes longer than most tests."""
    return httpx.create_ssl_context()


@pytest.fixture
async def outside() -> AsyncIterator[Outside]:
    world = Outside()

    async def dispatch(request: web.Request) -> web.StreamResponse:
        world.requests.append(request)
        assert world.handler is not None
        return await world.handler(request)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", dispatch)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    world.port = runner.addresses[0][1]
    world.base = f"http://127.0.0.1:{world.port}"
    yield world
    await runner.cleanup()


@pytest.fixture
def quick() -> Limits:
    """The real limits with short times, so that failures fail at once."""
    return Limits(
        connect=0.5,
        read=0.3,
        total=1.0,
        size=50_000,
        retry=RetryPolicy(first_wait=0.01, longest_wait=2.0),
    )


@pytest.fixture
async def fetcher(outside: Outside, quick: Limits, tls: ssl.SSLContext) -> AsyncIterator[Fetcher]:
    async with Fetcher(
        Reach.only(outside.base, allow_private=True), limits=quick, tls=tls
    ) as client:
        yield client
