"""A real server for any wizards, and clients of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx

from whence.app.platform import Platform
from whence.kernel.ids import new_id
from whence.tenancy import tokens
from whence.tenancy.principal import Principal, Scope
from whence.transports.serve import serve
from whence.wizards.catalog import Wizards
from whence.wizards.definition import Wizard


@asynccontextmanager
async def serving(platform: Platform, wizards: Sequence[Wizard]) -> AsyncGenerator[str]:
    """The address of a server that offers these wizards, on the platform's database."""
    offering = replace(platform, wizards=Wizards(wizards, platform.kinds))
    url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(serve(offering, "127.0.0.1", 0, url.set_result))
    await asyncio.wait([task, url], return_when=asyncio.FIRST_COMPLETED)
    yield url.result() if url.done() else task.result()
    task.cancel()
    await asyncio.wait([task])


@asynccontextmanager
async def client_of(
    platform: Platform, url: str, who: Principal | None = None, scopes: set[Scope] | None = None
) -> AsyncGenerator[httpx.AsyncClient]:
    """A client with an API token of that person, the owner unless said otherwise."""
    token = await tokens.issue(platform.db, who or platform.owner, str(new_id()), scopes=scopes)
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=30) as client:
        yield client


class Form:
    """One run over REST."""

    def __init__(self, client: httpx.AsyncClient, wizard: str = "sample_pack.write") -> None:
        self.client, self.runs = client, f"/api/wizards/{wizard}/runs"
        self.path = ""

    async def begin(self, **body: Any) -> dict[str, Any]:
        made = await self.client.post(self.runs, json=body)
        assert made.status_code == 201, made.text
        self.path = f"{self.runs}/{made.json()['wizardRunId']}"
        assert made.headers["Location"] == self.path
        return made.json()

    async def read(self, **query: Any) -> dict[str, Any]:
        answer = await self.client.get(self.path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, **body: Any) -> httpx.Response:
        return await self.client.post(self.path, json=body)

    async def answer(
        self, step: str, responses: Any = None, revision: int | None = None
    ) -> dict[str, Any]:
        """Answer a step, which is taken or comes back with errors."""
        sent = await self.post(stepId=step, responses=responses or {}, revision=revision)
        assert sent.status_code == 200, sent.text
        return sent.json()

    async def refused(
        self, problem: str, step: str, responses: Any = None, revision: int | None = None
    ) -> dict[str, Any]:
        """Answer a step, which is refused with this problem."""
        sent = await self.post(stepId=step, responses=responses or {}, revision=revision)
        assert sent.json()["type"] == f"/problems/{problem}", sent.text
        assert sent.headers["Content-Type"] == "application/problem+json"
        assert sent.status_code == sent.json()["status"]
        return sent.json()
