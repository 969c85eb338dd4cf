"""The organization's profile: read by everybody, changed by members, one change at a time."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from whence.tenancy import tokens
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio
PATH = "/api/organization/profile"


@pytest.fixture
async def client_of(platform: Any, serve: str) -> Any:
    def make(token: str) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=serve, headers={"Authorization": f"Bearer {token}"})

    return make


async def test_it_is_empty_until_somebody_writes_it(platform: Any, client_of: Any) -> None:
    async with client_of(await tokens.issue(platform.db, platform.owner, "a")) as client:
        first = (await client.get(PATH)).json()
        assert (first["version"], first["sectors"], first["name"] != "") == (0, [], True)
        body = {"sectors": ["used cameras"], "idealWork": "Small lots", "guidelines": "Be brief."}
        written = await client.put(PATH, json=body)
        assert written.status_code == 200, written.text
        result = await client.get(PATH)
        assert result.json()["sectors"] == ["used cameras"]
        assert result.json()["updatedBy"] == str(platform.owner.user_id)
        assert result.headers["ETag"] == '"1"'


async def test_two_who_change_the_same_version_do_not_lose_each_others_words(
    platform: Any, client_of: Any
) -> None:
    async with client_of(await tokens.issue(platform.db, platform.owner, "a")) as client:
        await client.put(PATH, json={"regions": ["north"]})
        match = {"If-Match": '"1"'}
        assert (await client.put(PATH, json={"regions": ["south"]}, headers=match)).is_success
        late = await client.put(PATH, json={"regions": ["west"]}, headers=match)
        assert late.status_code == 409
        assert "read it again" in late.json()["detail"]
        assert (await client.get(PATH)).json()["regions"] == ["south"]


@pytest.mark.parametrize(
    "profile",
    [{"sectors": ["x"] * 51}, {"guidelines": "x" * 4001}, {"regions": [""]}, {"name": "x"}],
)
async def test_what_does_not_fit_is_refused_in_words(
    platform: Any, client_of: Any, profile: dict[str, Any]
) -> None:
    async with client_of(await tokens.issue(platform.db, platform.owner, "a")) as client:
        refused = await client.put(PATH, json=profile)
    assert refused.status_code == 422, refused.text


async def test_a_viewer_reads_and_does_not_write(
    platform: Any, client_of: Any, new_principal: Any
) -> None:
    viewer = new_principal(role=Role.VIEWER)
    async with client_of(await tokens.issue(platform.db, viewer, "a")) as client:
        assert (await client.get(PATH)).status_code == 200
        assert (await client.put(PATH, json={})).status_code == 403
