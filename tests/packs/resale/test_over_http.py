"""What only the resale pack answers over HTTP: imported listings, and items that start research."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from whence.tenancy import tokens

pytestmark = pytest.mark.anyio

LAMP = "Corvane Lumen L3 desk lamp"


@pytest.fixture
async def client(platform: Any, serve: str) -> AsyncIterator[httpx.AsyncClient]:
    """The local owner's client."""
    token = await tokens.issue(platform.db, platform.owner, "test")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=30) as client:
        yield client


async def test_an_item_created_over_http_is_researched_where_that_is_switched_on(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHENCE_RESALE_RESEARCH_NEW", "true")
    created = await client.post("/api/items", json={"title": LAMP})
    assert created.json()["aiReviewState"] == "researching"


async def test_listings_are_listed_in_pages_and_deleted_over_http(
    client: httpx.AsyncClient,
) -> None:
    body = "id,title,price,status\nL1,Corvane lamp,50,sold\nL2,Fennmark desk,60,active\n"
    report = await client.post(
        "/api/imports/resale.listings", params={"filename": "l.csv"}, content=body
    )
    first = await client.get("/api/resale/listings", params={"limit": 1})
    assert (len(first.json()["items"]), first.json()["nextCursor"] is not None) == (1, True)
    second = await client.get(
        "/api/resale/listings", params={"limit": 1, "cursor": first.json()["nextCursor"]}
    )
    both = first.json()["items"] + second.json()["items"]
    assert {each["title"] for each in both} == {"Corvane lamp", "Fennmark desk"}
    params = {"search": "LAMP", "status": "sold", "importId": report.json()["id"]}
    [lamp] = (await client.get("/api/resale/listings", params=params)).json()["items"]
    assert lamp["sourceId"] == "L1"
    gone = await client.delete(f"/api/resale/listings/{lamp['id']}")
    assert gone.status_code == 204
    left = await client.get("/api/resale/listings")
    assert [each["sourceId"] for each in left.json()["items"]] == ["L2"]
    assert (await client.delete(f"/api/resale/listings/{lamp['id']}")).status_code == 404
