"""Pages over a real server: by rules, or with a model of ours at the other end of its client."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import httpx
import pytest

from agent.desk import Browser
from whence.sdk.platform import Platform
from whence.tenancy import tokens
from whence.tenancy.principal import Principal, Scope

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
