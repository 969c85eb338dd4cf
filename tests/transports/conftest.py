"""Clients of a real server: signed in, from another organization, with less than all rights."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from whence.app.platform import Platform
from whence.tenancy import sessions, tokens
from whence.tenancy.principal import Principal, Scope
from whence.tenancy.sessions import Started

SignedIn = Callable[..., Awaitable[httpx.AsyncClient]]
SessionOf = Callable[[Principal], Awaitable[Started]]


@pytest.fixture
async def signed_in(platform: Platform, serve: str) -> AsyncIterator[SignedIn]:
    """`await signed_in(principal, scopes=...)`: a client with an API token of that principal."""
    async with AsyncExitStack() as stack:

        async def make(who: Principal, scopes: set[Scope] | None = None) -> httpx.AsyncClient:
            token = await tokens.issue(platform.db, who, "test", scopes=scopes)
            headers = {"Authorization": f"Bearer {token}"}
            client = httpx.AsyncClient(base_url=serve, headers=headers, timeout=30)
            return await stack.enter_async_context(client)

        yield make


@pytest.fixture
def session_of(platform: Platform) -> SessionOf:
    """`await session_of(principal)`: the secrets of a new session of that person."""

    async def start(who: Principal) -> Started:
        return await sessions.start(platform.db, who, label="test", settings=platform.settings)

    return start


@pytest.fixture
async def person(serve: str, session_of: SessionOf) -> AsyncIterator[SignedIn]:
    """`await person(principal)`: a client with a session of that person, no API token."""
    async with AsyncExitStack() as stack:

        async def make(who: Principal) -> httpx.AsyncClient:
            headers = {"Authorization": f"Bearer {(await session_of(who)).access}"}
            client = httpx.AsyncClient(base_url=serve, headers=headers, timeout=30)
            return await stack.enter_async_context(client)

        yield make


@pytest.fixture
async def owner(platform: Platform, signed_in: SignedIn) -> httpx.AsyncClient:
    """The local owner's client."""
    return await signed_in(platform.owner)


@pytest.fixture
async def anonymous(serve: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client that has not signed in."""
    async with httpx.AsyncClient(base_url=serve, timeout=30) as client:
        yield client


@pytest.fixture
def finished(owner: httpx.AsyncClient) -> Callable[[str], Awaitable[dict[str, Any]]]:
    """`await finished("/api/notes/…/research/jobs/…")`: the job once it has ended."""

    async def wait(path: str) -> dict[str, Any]:
        async with asyncio.timeout(90):
            while True:
                job = (await owner.get(path)).json()
                if job["completedAt"]:
                    return job
                await asyncio.sleep(0.05)

    return wait
