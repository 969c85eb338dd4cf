"""Saved views: one's own and shared ones, what they may say, and who may change them."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from transports.conftest import SignedIn
from whence.app.platform import Platform
from whence.records import saved_views
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio
VIEWS = "/api/views/remarks"
PRAISE = {"title": "Praise", "parameters": {"mood": "praise", "sort": "-stars"}}


async def test_a_view_is_ones_own_until_it_is_shared(
    platform: Platform, owner: httpx.AsyncClient, signed_in: SignedIn, new_principal: Any
) -> None:
    other = await signed_in(new_principal(Role.MEMBER, platform.owner.org_id))
    stranger = await signed_in(new_principal())
    made = (await owner.post(VIEWS, json=PRAISE)).json()
    assert made["parameters"] == PRAISE["parameters"]
    assert [each["title"] for each in (await owner.get(VIEWS)).json()] == ["Praise"]
    assert (await other.get(VIEWS)).json() == []
    assert (await other.patch(f"{VIEWS}/{made['id']}", json={"title": "x"})).status_code == 404
    await owner.patch(f"{VIEWS}/{made['id']}", json={"isShared": True})
    [seen] = (await other.get(VIEWS)).json()
    assert (seen["id"], seen["isMine"], seen["mayChange"]) == (made["id"], False, False)
    refused = await other.delete(f"{VIEWS}/{made['id']}")
    assert (refused.status_code, refused.json()["detail"]) == (
        403,
        saved_views.NotTheAuthor().message,
    )
    assert (await stranger.get(VIEWS)).json() == []
    assert (await owner.get("/api/views/notes")).json() == []


async def test_an_owner_tidies_up_what_others_share(
    platform: Platform, owner: httpx.AsyncClient, signed_in: SignedIn, new_principal: Any
) -> None:
    member = await signed_in(new_principal(Role.MEMBER, platform.owner.org_id))
    made = (await member.post(VIEWS, json=PRAISE | {"isShared": True})).json()
    assert (await owner.delete(f"{VIEWS}/{made['id']}")).status_code == 204
    assert (await member.get(VIEWS)).json() == []


async def test_what_the_list_does_not_take_is_not_saved(owner: httpx.AsyncClient) -> None:
    for wrong in ({"colour": "red"}, {"mood": "rage"}, {"stars.min": "many"}, {"sort": "mood"}):
        refused = await owner.post(VIEWS, json={"title": "x", "parameters": wrong})
        assert refused.status_code == 422, wrong
    chosen: dict[str, Any] = {"columns": ["stars"], "stars.min": "3", "search": "dark"}
    assert (await owner.post(VIEWS, json={"title": "x", "parameters": chosen})).status_code == 201


async def test_views_are_limited_for_each_list(
    owner: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_views, "MOST", 1)
    assert (await owner.post(VIEWS, json=PRAISE)).status_code == 201
    assert (await owner.post(VIEWS, json=PRAISE)).status_code == 409
    notes = {"title": "Ideas", "parameters": {"search": "idea"}}
    assert (await owner.post("/api/views/notes", json=notes)).status_code == 201
