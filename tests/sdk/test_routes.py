"""Routes of a pack: typed, below its own address, under the rules of every other route."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

import httpx
import pytest

from whence.kernel.errors import Misconfigured
from whence.kernel.ids import new_id
from whence.sdk.routes import Access, RouteContext, route
from whence.sdk.values import Wire
from whence.tenancy import sessions, tokens
from whence.tenancy.principal import Role, Scope
from whence.transports.routes.http.pack_routes import check_addresses

pytestmark = pytest.mark.anyio


class Nothing(Wire):
    pass


class One(Wire):
    note_id: UUID


@pytest.fixture
async def client(serve: str, platform: Any) -> Any:
    secret = await tokens.issue(platform.db, platform.owner, "test")
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=20) as opened:
        yield opened


async def _note(client: httpx.AsyncClient, text: str) -> str:
    answer = await client.post("/api/notes", json={"title": text[:20], "text": text})
    return answer.json()["id"]


async def test_a_route_answers_its_model_with_path_and_query_typed(client: Any) -> None:
    note = await _note(client, "three short words")
    answer = await client.get(f"/api/sample_pack/lengths/{note}", params={"words": 2})
    assert answer.json() == {"noteId": note, "words": 3, "isTooLong": True}
    wrong_path = await client.get("/api/sample_pack/lengths/none")
    wrong_query = await client.get(f"/api/sample_pack/lengths/{note}", params={"words": 0})
    unknown = await client.get(f"/api/sample_pack/lengths/{note}", params={"word": 1})
    for answer in (wrong_path, wrong_query, unknown):
        assert answer.status_code == 422
        assert answer.json()["type"] == "/problems/invalid"
    missing = await client.get(f"/api/sample_pack/lengths/{new_id()}")
    assert (missing.status_code, missing.json()["type"]) == (404, "/problems/not-found")


async def test_a_list_is_read_page_by_page(client: Any) -> None:
    made = {await _note(client, f"note number {number}") for number in range(3)}
    ids: list[str] = []
    cursor = None
    for _ in range(3):
        params = {"than": 0, "limit": 1} | ({"cursor": cursor} if cursor else {})
        page = (await client.get("/api/sample_pack/longer-notes", params=params)).json()
        ids += [item["noteId"] for item in page["items"]]
        cursor = page["nextCursor"]
    assert cursor is None
    assert len(ids) == 3
    assert set(ids) == made
    bad = await client.get("/api/sample_pack/longer-notes", params={"than": 0, "cursor": "no"})
    assert bad.status_code == 422


async def test_a_body_is_joined_with_the_path_and_none_is_answered_204(client: Any) -> None:
    note = await _note(client, "text")
    address = f"/api/sample_pack/headings/{note}"
    assert (await client.put(address, json={"heading": "New"})).status_code == 204
    assert (await client.get(f"/api/notes/{note}")).json()["title"] == "New"
    assert (await client.get("/api/notes", params={"search": "New"})).json()["items"]
    twice = await client.put(address, json={"heading": "New", "noteId": note})
    assert twice.status_code == 422
    assert (await client.put(address, json={"heading": ""})).status_code == 422


async def test_it_keeps_to_its_access_and_to_the_tenant(
    client: Any, platform: Any, new_principal: Any
) -> None:
    note = await _note(client, "text")
    address = f"/api/sample_pack/headings/{note}"
    assert (await client.get(address, headers={"Authorization": ""})).status_code in (401, 405)
    reading = await tokens.issue(platform.db, platform.owner, "reads", scopes=[Scope.READ])
    refused = await client.put(
        address, json={"heading": "B"}, headers={"Authorization": f"Bearer {reading}"}
    )
    assert refused.status_code == 403
    stranger = await sessions.start(
        platform.db, new_principal(Role.OWNER), label="x", settings=platform.settings
    )
    other = await client.put(
        address, json={"heading": "B"}, headers={"Authorization": f"Bearer {stranger.access}"}
    )
    assert other.status_code == 404
    assert (await client.get(f"/api/notes/{note}")).json()["title"] == "text"


async def test_the_document_has_it_with_its_rule_and_types(client: Any) -> None:
    paths = (await client.get("/openapi.json")).json()["paths"]
    call = paths["/api/sample_pack/lengths/{noteId}"]["get"]
    assert call["x-access"] == "read"
    assert call["tags"] == ["sample_pack"]
    assert {item["name"]: item["in"] for item in call["parameters"]} == {
        "noteId": "path",
        "words": "query",
    }
    assert paths["/api/sample_pack/headings/{noteId}"]["put"]["x-access"] == "write"


async def _handler(request: Nothing, context: RouteContext) -> None:
    """Do nothing."""


async def _untyped(request: Any, context: RouteContext) -> None:
    """Do nothing."""


async def _of_one(request: One, context: RouteContext) -> None:
    """Do nothing."""


@pytest.mark.parametrize(
    ("method", "path", "access", "handler", "words"),
    [
        ("POST", "no-slash", Access.READ, _handler, "no valid path"),
        ("POST", "/Upper", Access.READ, _handler, "no valid path"),
        ("POST", "/a/{b}", Access.READ, _handler, "no field of Nothing"),
        ("POST", "/a/{note_id}/{note_id}", Access.READ, _of_one, "twice"),
        ("GET", "/a", Access.WRITE, _handler, "must not change anything"),
        ("POST", "/a", Access.READ, _untyped, "must take a Pydantic model"),
    ],
)
def test_a_route_that_cannot_work_is_refused_with_the_fix(
    method: Any, path: str, access: Access, handler: Any, words: str
) -> None:
    with pytest.raises(Misconfigured, match=words):
        route(method, path, access)(handler)


async def test_addresses_that_collide_keep_the_program_from_starting(platform: Any) -> None:
    [pack] = [pack for pack in platform.packs if pack.id == "sample_pack"]
    other = route("GET", "/lengths/{note_id}", Access.READ)(_of_one)
    for packs, kinds, core, words in (
        ([replace(pack, routes=[*pack.routes, other])], [], [], "GET /lengths/{}"),
        ([pack], ["sample_pack"], [], "records of the kind"),
        ([pack], [], ["sample_pack"], "which is whence's"),
        ([], ["tools"], ["tools"], "which is whence's"),
    ):
        with pytest.raises(Misconfigured, match=words.replace("{", r"\{").replace("}", r"\}")):
            check_addresses(packs, kinds, core)
