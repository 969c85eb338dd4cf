"""Who may do what: every route of the OpenAPI document, by everybody who could knock."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from whence.kernel.ids import new_id
from whence.sdk.platform import Platform
from whence.tenancy.principal import Role, Scope

pytestmark = pytest.mark.anyio
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("post", "/api/notes"): {"json": {"title": "A", "text": "b"}},
    ("patch", "/api/notes/{id}"): {"json": {"title": "B"}},
    ("post", "/api/notes/{id}/research"): {"json": {}},
    ("post", "/api/tokens"): {"json": {"name": "another"}},
    ("post", "/api/tools/{name}"): {"json": {"text": "a b"}},
    ("post", "/api/imports/{name}"): {
        "content": b'{"id": "n1", "title": "A"}\n',
        "params": {"filename": "notes.jsonl"},
    },
}
READING_BY_POST = "/api/tools/{name}"


async def routes(client: httpx.AsyncClient) -> list[tuple[str, str]]:
    """Every (method, path) that needs a principal, of the sample pack's kind or of no kind."""
    document = (await client.get("/openapi.json")).json()
    tags = {"notes", "account", "imports", "runs", "tools"}
    return [
        (method, path)
        for path, calls in document["paths"].items()
        for method, call in calls.items()
        if path.startswith("/api/") and tags.intersection(call["tags"])
    ]


class Things:
    """A note, a job and a token of the owner, and addresses that name them."""

    def __init__(self, note_id: str, job_id: str, token_id: str) -> None:
        self.note_id, self.job_id, self.token_id = note_id, job_id, token_id

    @classmethod
    async def made(cls, owner: httpx.AsyncClient) -> Things:
        note = (await owner.post("/api/notes", json={"title": "A", "text": "b"})).json()["id"]
        job = (await owner.post(f"/api/notes/{note}/research")).json()["jobId"]
        await owner.post("/api/tokens", json={"name": "to be seen"})
        [token, *_] = (await owner.get("/api/tokens")).json()
        return cls(note, job, token["id"])

    def address(self, path: str) -> str:
        ids = {"/api/tokens/{id}": self.token_id, "/api/runs/{id}/events": self.job_id}
        path = path.replace("{id}", ids.get(path, self.note_id)).replace("{jobId}", self.job_id)
        name = "sample_pack.notes" if "/imports/" in path else "count_words"
        return path.replace("{name}", name)


async def ask(
    client: httpx.AsyncClient, method: str, path: str, things: Things
) -> tuple[int, dict[str, Any]]:
    """The status, and the body where it is a problem document; a stream is not read."""
    body = BODIES.get((method, path), {})
    async with client.stream(method.upper(), things.address(path), **body) as answer:
        if answer.headers.get("content-type") != "application/problem+json":
            return answer.status_code, {}
        await answer.aread()
        return answer.status_code, answer.json()


async def test_nobody_reads_or_changes_anything_without_signing_in(
    owner: httpx.AsyncClient, anonymous: httpx.AsyncClient
) -> None:
    things = await Things.made(owner)
    for method, path in await routes(anonymous):
        status, problem = await ask(anonymous, method, path, things)
        assert (status, problem.get("type")) == (401, "/problems/unauthorized"), (method, path)


async def test_a_wrong_header_is_no_way_in(anonymous: httpx.AsyncClient) -> None:
    wrong = (
        "Bearer whence_wrong",
        "Bearer",
        "Basic b3duZXI6",
        "whence_x",
        "Bearer \xff",
        "Bearer a b",
    )
    for header in wrong:
        sent = [(b"Authorization", header.encode("latin-1"))]
        refused = await anonymous.get("/api/me", headers=sent)
        assert refused.status_code == 401, header
        assert refused.headers["www-authenticate"].startswith("Bearer")


async def test_another_organization_finds_nothing_of_ours(
    platform: Platform, owner: httpx.AsyncClient, signed_in: Any, new_principal: Any
) -> None:
    things = await Things.made(owner)
    stranger = await signed_in(new_principal(Role.OWNER))
    for method, path in await routes(owner):
        if "{id}" in path:
            status, problem = await ask(stranger, method, path, things)
            assert (status, problem.get("type")) == (404, "/problems/not-found"), (method, path)
    assert (await stranger.get("/api/notes")).json()["items"] == []
    assert things.token_id not in {row["id"] for row in (await stranger.get("/api/tokens")).json()}
    kept = (await owner.get(f"/api/notes/{things.note_id}")).json()
    assert (kept["title"], kept["version"]) == ("A", 1)
    job = await owner.get(f"/api/notes/{things.note_id}/research/jobs/{things.job_id}")
    assert job.json()["status"] == "pending"


async def test_a_viewer_reads_everything_and_changes_nothing(
    platform: Platform, owner: httpx.AsyncClient, signed_in: Any, new_principal: Any
) -> None:
    things = await Things.made(owner)
    viewer = await signed_in(new_principal(Role.VIEWER, platform.owner.org_id))
    for method, path in await routes(owner):
        status, _ = await ask(viewer, method, path, things)
        reads = method == "get" or path == READING_BY_POST
        assert status == (200 if reads else 403), (method, path)


async def test_an_owner_may_call_every_route(owner: httpx.AsyncClient) -> None:
    things = await Things.made(owner)
    found = await routes(owner)
    found.sort(key=lambda route: (route[0] == "delete", "resume" in route[1]))
    for method, path in found:
        status, problem = await ask(owner, method, path, things)
        expected = (409,) if path.endswith("/resume") else (200, 201, 202, 204)
        assert status in expected, (method, path, status, problem)


async def test_a_read_only_token_of_an_owner_cannot_write_or_make_tokens(
    platform: Platform, signed_in: Any
) -> None:
    reading = await signed_in(platform.owner, {Scope.READ})
    assert (await reading.get("/api/notes")).status_code == 200
    for path, body in (("/api/notes", {"title": "A"}), ("/api/tokens", {"name": "more"})):
        refused = await reading.post(path, json=body)
        assert (refused.status_code, refused.json()["type"]) == (403, "/problems/forbidden")


async def test_a_revoked_token_ends_at_once(platform: Platform, owner: httpx.AsyncClient) -> None:
    made = (await owner.post("/api/tokens", json={"name": "short", "scopes": ["read"]})).json()
    header = {"Authorization": f"Bearer {made['token']}"}
    assert (await owner.get("/api/me", headers=header)).json()["scopes"] == ["read"]
    [row] = [row for row in (await owner.get("/api/tokens")).json() if row["name"] == "short"]
    assert made["token"].startswith(row["prefix"])
    assert "token" not in row
    assert (await owner.delete(f"/api/tokens/{row['id']}")).status_code == 204
    assert (await owner.get("/api/me", headers=header)).status_code == 401


async def test_a_member_manages_only_tokens_of_their_own(
    platform: Platform, owner: httpx.AsyncClient, signed_in: Any, new_principal: Any
) -> None:
    things = await Things.made(owner)
    member = await signed_in(new_principal(Role.MEMBER, platform.owner.org_id))
    assert [row["name"] for row in (await member.get("/api/tokens")).json()] == ["test"]
    assert (await member.delete(f"/api/tokens/{things.token_id}")).status_code == 404


async def test_things_that_do_not_exist_are_told_apart_from_nothing_else(
    owner: httpx.AsyncClient,
) -> None:
    things = Things(str(new_id()), str(new_id()), str(new_id()))
    for method, path in [route for route in await routes(owner) if "{id}" in route[1]]:
        status, problem = await ask(owner, method, path, things)
        assert (status, problem["type"]) == (404, "/problems/not-found"), (method, path)
