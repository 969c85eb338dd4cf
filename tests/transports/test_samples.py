"""Samples of packs: loaded once, marked, and removed together; the first steps of a newcomer."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from whence.tenancy import tokens

pytestmark = pytest.mark.anyio


async def client_of(platform: Any, serve: str, who: Any) -> httpx.AsyncClient:
    token = await tokens.issue(platform.db, who, "newcomer")
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.AsyncClient(base_url=serve, headers=headers, timeout=60)


async def items(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    return (await client.get("/api/items")).json()["items"]


async def test_samples_are_loaded_once_marked_and_removed_with_what_was_changed(
    platform: Any, serve: str, new_principal: Any
) -> None:
    async with await client_of(platform, serve, platform.owner) as client:
        start = (await client.get("/api/start")).json()
        assert [(each["name"], each["isDone"]) for each in start["steps"]] == [
            ("records", False),
            ("research", False),
            ("ask", False),
        ]
        assert not any(each["isLoaded"] for each in start["samples"])
        own = (await client.post("/api/items", json={"title": "My own"})).json()
        for _ in range(2):
            loaded = (await client.post("/api/samples")).json()
        assert all(each["isLoaded"] for each in loaded["samples"])
        assert loaded["steps"][0]["isDone"]
        imports = (await client.get("/api/imports")).json()["items"]
        assert len(imports) == 3
        assert all(each["isSample"] for each in imports)
        [sample] = [each for each in await items(client) if each["externalId"] == "HP-001"]
        assert loaded["steps"][1]["recordId"] == sample["id"]
        assert sample["media"]  # with its photographs
        of_sample = await client.get("/api/imports", params={"record": sample["id"]})
        assert [each["filename"] for each in of_sample.json()["items"]] == ["items.csv"]
        of_own = await client.get("/api/imports", params={"record": own["id"]})
        assert of_own.json()["items"] == []

        await client.patch(f"/api/items/{sample['id']}", json={"title": "Changed"})
        removed = (await client.delete("/api/samples")).json()
        assert not any(each["isLoaded"] for each in removed["samples"])
        assert [each["title"] for each in await items(client)] == ["My own"]
        assert (await client.post("/api/samples")).status_code == 200
        assert len(await items(client)) > 1  # they may come back
    async with await client_of(platform, serve, new_principal()) as stranger:
        start = (await stranger.get("/api/start")).json()
        assert not start["steps"][0]["isDone"]
        assert not any(each["isLoaded"] for each in start["samples"])
