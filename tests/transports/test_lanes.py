"""Lanes over HTTP: what ran in the shadow is read by asking for it, and never by accident."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

pytestmark = pytest.mark.anyio


async def note(client: httpx.AsyncClient) -> str:
    made = await client.post("/api/notes", json={"title": "A note", "text": "one two three"})
    return f"/api/notes/{made.json()['id']}"


async def researched(client: httpx.AsyncClient, place: str, **how: str) -> dict[str, Any]:
    request = await client.post(f"{place}/research", json=how)
    assert request.status_code == 202, request.text
    job: dict[str, Any] = {}
    async with asyncio.timeout(90):
        while job.get("status") not in ("success", "error"):
            await asyncio.sleep(0.05)
            job = (await client.get(request.headers["Location"])).json()
    return job


async def test_a_shadow_is_read_only_by_its_lane(owner: httpx.AsyncClient, worker: object) -> None:
    place = await note(owner)
    job = await researched(owner, place, lane="shadow", version="1")
    assert (job["lane"], job["flowVersion"], job["fallback"]) == ("shadow", "1", None)
    assert (await owner.get(f"{place}/research/latest")).json() is None
    assert (await owner.get(f"{place}/research/history")).json()["items"] == []
    assert (await owner.get(f"{place}/evidence")).json()["items"] == []
    shadow = (await owner.get(f"{place}/research/latest", params={"lane": "shadow"})).json()
    assert (shadow["jobId"], shadow["lane"], shadow["body"]) == (job["id"], "shadow", {"words": 3})
    for what in ("research/history", "evidence"):
        response = await owner.get(f"{place}/{what}", params={"lane": "shadow"})
        assert len(response.json()["items"]) == 1


async def test_the_difference_of_both_lanes_is_answered(
    owner: httpx.AsyncClient, worker: object
) -> None:
    place = await note(owner)
    await researched(owner, place)
    missing = await owner.get(f"{place}/research/difference")
    assert (missing.status_code, missing.json()["type"]) == (404, "/problems/not-found")
    await researched(owner, place, lane="shadow", version="1")
    report = (await owner.get(f"{place}/research/difference")).json()
    assert (report["claims"], report["agreeing"], report["differences"]) == (1, 1, [])
    assert (report["base"]["lane"], report["other"]["lane"]) == ("primary", "shadow")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"version": "9"}, "the versions are 1"),
        ({"lane": "shadow"}, "there are no candidates"),
        ({"lane": "elsewhere"}, "lane"),
    ],
)
async def test_a_version_or_lane_that_is_not_there_is_refused(
    owner: httpx.AsyncClient, body: dict[str, str], words: str
) -> None:
    refused = await owner.post(f"{await note(owner)}/research", json=body)
    assert refused.status_code == 422
    assert words in refused.json()["detail"]
