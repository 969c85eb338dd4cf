"""A server that ends and comes back at the same address, as the fixture `serve`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import pytest

from whence.app import build
from whence.app.platform import Platform
from whence.kernel.settings import Settings
from whence.transports.serve import serve as serve_api


@dataclass
class Server:
    """A server that can end and come back at the same address."""

    platform: Platform
    url: str = ""
    task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        port = int(self.url.rpartition(":")[2]) if self.url else 0
        url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.task = asyncio.create_task(serve_api(self.platform, "127.0.0.1", port, url.set_result))
        await asyncio.wait([self.task, url], return_when=asyncio.FIRST_COMPLETED)
        self.url = url.result() if url.done() else str(self.task.result())

    async def stop(self) -> None:
        if self.task is not None:
            self.task.cancel()
            await asyncio.wait([self.task])


@pytest.fixture
async def server(platform: Platform) -> AsyncIterator[Server]:
    server = Server(platform)
    await server.start()
    yield server
    await server.stop()


@pytest.fixture
def serve(server: Server) -> str:
    return server.url


@dataclass
class Program:
    """The whole program behind an address: it ends as on SIGTERM, and another one takes over."""

    settings: Settings
    server: Server | None = None
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def start(self) -> str:
        platform = await self.stack.enter_async_context(build.platform(self.settings))
        self.server = Server(platform, self.server.url if self.server else "")
        await self.server.start()
        return self.server.url

    async def stop(self) -> None:
        if self.server is not None:
            await self.server.stop()
        await self.stack.aclose()
