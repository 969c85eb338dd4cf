"""Pages over a real server: by rules, or with a model of ours at the other end of its client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import httpx
import pytest

from agent.desk import Browser
from chat.slow_model import SlowModel
from chat.turns.conftest import model
from llm.conftest import Wire, wire
from llm.wire.conftest import OpenAI
from whence.app import build
from whence.app.platform import Platform
from whence.kernel.settings import Settings
from whence.tenancy import tokens
from whence.tenancy.principal import Principal, Scope
from whence.transports.serve import serve as serve_api

__all__ = ["model", "wire"]

NewBrowser = Callable[..., Awaitable[Browser]]


@pytest.fixture
async def browse(platform: Platform, serve: str) -> AsyncIterator[NewBrowser]:
    """`await browse(principal, scopes=...)`: that person's page."""
    async with AsyncExitStack() as stack:

        async def make(who: Principal, scopes: set[Scope] | None = None) -> Browser:
            token = await tokens.issue(platform.db, who, "test", scopes=scopes)
            headers = {"Authorization": f"Bearer {token}"}
            client = httpx.AsyncClient(base_url=serve, headers=headers, timeout=30)
            return Browser(await stack.enter_async_context(client))

        yield make


@pytest.fixture
async def browser(platform: Platform, browse: NewBrowser) -> Browser:
    return await browse(platform.owner)


@asynccontextmanager
async def served(platform: Platform) -> AsyncIterator[Browser]:
    """The owner's page at a real server of this program."""
    url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(serve_api(platform, "127.0.0.1", 0, url.set_result))
    await asyncio.wait([task, url], return_when=asyncio.FIRST_COMPLETED)
    token = await tokens.issue(platform.db, platform.owner, "test")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=url.result(), headers=headers, timeout=30) as client:
        yield Browser(client)
    task.cancel()
    await asyncio.wait([task])


@pytest.fixture
async def thinking(settings: Settings, model: SlowModel) -> AsyncIterator[Platform]:
    """The program with a model that says a piece whenever the test lets it."""
    changed = model.for_answers(settings)
    async with build.platform(changed) as platform:
        yield platform


@pytest.fixture
async def slow(thinking: Platform) -> AsyncIterator[Browser]:
    """The owner's page at the program with the slow model."""
    async with served(thinking) as browser:
        yield browser


@pytest.fixture
async def modelled(
    settings: Settings, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Platform]:
    """The program with a model that says what the test scripts."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nothing")
    scripted = {"model": f"openai:{OpenAI.name}", "model_base_url": wire.url + OpenAI.base}
    async with build.platform(settings.model_copy(update=scripted)) as platform:
        yield platform


@pytest.fixture
async def asking(modelled: Platform) -> AsyncIterator[Browser]:
    """The owner's page at the program with the scripted model."""
    async with served(modelled) as browser:
        yield browser
