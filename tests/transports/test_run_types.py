"""Types of run over REST: asked for, refused in words, and shown with the job and its dossier."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from whence.tenancy import tokens

pytestmark = pytest.mark.anyio


@pytest.fixture
async def client(platform: Any, serve: str) -> Any:
    token = await tokens.issue(platform.db, platform.owner, "researcher")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=60) as client:
        yield client


@pytest.fixture
async def path(client: Any) -> str:
    made = await client.post("/api/notes", json={"title": "A", "text": "one two"})
    return f"/api/notes/{made.json()['id']}/research"


async def test_job_and_dossier_name_the_type_and_the_parameters(
    client: Any, path: str, worker: object
) -> None:
    wanted = {"runType": "refresh", "parameters": {"title": "B"}}
    answer = await client.post(path, json={"type": "glance", **wanted})
    assert answer.status_code == 202, answer.text
    async with asyncio.timeout(60):
        while True:
            job = (await client.get(answer.headers["Location"])).json()
            if job["status"] in ("success", "error"):
                break
            await asyncio.sleep(0.05)
    assert {name: job[name] for name in wanted} == wanted
    assert [step["status"] for step in job["stepHistory"]] == ["success", "skipped", "success"]
    dossier = (await client.get(f"{path}/latest", params={"type": "glance"})).json()
    assert {name: dossier[name] for name in wanted} == wanted
    assert dossier["isWhole"] is False
    assert dossier["isCurrent"] is True


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"runType": "pricing"}, "no type 'pricing' of notes/glance; the types are initial_intake"),
        (
            {"runType": "refresh", "parameters": {"x": 1}},
            "parameters.x: there is no such field; there are title",
        ),
    ],
)
async def test_what_is_wrong_is_named(client: Any, path: str, wanted: Any, words: str) -> None:
    answer = await client.post(path, json={"type": "glance", **wanted})
    assert answer.status_code == 422
    assert words in answer.json()["detail"]
