"""Who may do what: every route of the OpenAPI document by everybody who could knock.

`expected_access.toml` holds the rule of every route, written by hand; `matrix.py` says what a rule
means for each principal.  What the program itself declares (`x-access`) has to agree with the file,
and a route without a rule keeps the program from starting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import httpx
import pytest
from fastapi import APIRouter
from starlette.routing import BaseRoute
from starlette.routing import Route as HttpRoute

from transports.documented import document
from transports.expected_access import FIX, general, written_rules
from transports.matrix import (
    DONE,
    FORBIDDEN,
    NOT_FOUND,
    OPEN_TO_ALL,
    REFUSED,
    UNAUTHORIZED,
    WRONG_SECRET,
    Matrix,
    Route,
    routes,
)
from whence.app.platform import Platform
from whence.kernel.ids import new_id
from whence.tenancy.principal import Role
from whence.transports.edge.access import ACCESS, RULES, NoRule, ruled
from whence.transports.routes.http.application import application
from whence.transports.routes.sockets.contract import CLIENT_EVENTS
from whence.transports.routes.sse import agent, chat_events, work_events

pytestmark = pytest.mark.anyio


@pytest.fixture
async def matrix(platform: Platform, anonymous: httpx.AsyncClient, new_principal: Any) -> Matrix:
    org = platform.owner.org_id
    people = {
        "owner": platform.owner,
        "member": new_principal(Role.MEMBER, org),
        "viewer": new_principal(Role.VIEWER, org),
        "other organization": new_principal(Role.OWNER),
    }
    made = Matrix(platform, anonymous, people, new_principal)
    await made.make_things()
    return made


def refusals(name: str, routes: list[Route]) -> Iterator[tuple[Route, str]]:
    """What each route has to answer a principal."""
    for route in routes:
        expected = REFUSED[name][route.rule]
        if name == "other organization" and route.names_something:
            expected = NOT_FOUND
        if route.names_own and name in ("viewer", "member") and expected == DONE:
            expected = NOT_FOUND
        if "another site" in name and route.method != "get":
            expected = FORBIDDEN
        elif (route.method, route.path) in OPEN_TO_ALL:
            expected = UNAUTHORIZED
        yield route, expected


@pytest.mark.parametrize("name", REFUSED)
async def test_every_route_answers_everybody_as_its_rule_says(matrix: Matrix, name: str) -> None:
    answered = 0
    for route, expected in refusals(name, await routes(matrix)):
        status, problem = await matrix.ask(route, await matrix.headers(name))
        rights = (UNAUTHORIZED, FORBIDDEN, *[NOT_FOUND] * (expected == NOT_FOUND))
        shown = problem if problem in rights else DONE
        if (route.path, status) in WRONG_SECRET:
            shown = expected
        assert shown == expected, (name, route, status, problem)
        assert status < 500, (name, route, status, problem)
        answered += 1
    assert answered >= 100


async def test_an_owner_may_call_every_route_and_it_works(matrix: Matrix) -> None:
    unlike = {
        "/api/auth/sign-in": 401,
        "/api/auth/refresh": 401,
        "/api/auth/password": 401,
        "/api/auth/reset": 401,
        "/api/auth/invitation": 401,
        "/api/auth/accept": 401,
        "/api/auth/switch": 404,
        "/api/items/{id}/files/{digest}": 404,
        "/api/notes/{id}/evidence/{evidenceId}": 404,
        "/api/notes/{id}/evidence/changes": 404,
        "/api/notes/{id}/evidence/{evidenceId}/picture": 404,
        "/api/notes/{id}/evidence/choices/preview": 422,
        "/api/notes/{id}/evidence/choices": 422,
        "/api/resale/listings/{listingId}": 404,
        "/api/notes/{id}/research/difference": 404,
        "/api/notes/{id}/research/jobs/{jobId}/resume": 409,
        "/api/notes/{id}/research/jobs/{jobId}/answer": 409,
        "/api/models/{role}/test": 422,  # none is configured
        "/api/proposals/{id}/decline": 409,
        "/api/jobs/{id}/resume": 409,
        "/api/runs/{id}/model-calls/{callId}": 404,
        "/api/jobs/{id}/model-calls/{callId}": 404,
        "/api/wizards/{id}/runs/{runId}/preview": 409,  # it was cancelled
        "/api/notes/{id}/chat/sessions/{sid}/messages/{mid}/context": 404,
        "/api/chat/sessions/{sid}/messages/{mid}/context": 404,
        "/api/agent/conversations/{sid}/messages/{mid}/context": 404,
        "/api/imports/{importId}/preview": 422,  # it has ended, and its file is gone
        "/api/imports/{importId}/resume": 409,
    }
    for route in await routes(matrix):
        status, problem = await matrix.ask(route, await matrix.headers("owner"))
        expected = (unlike.get(route.path),) if route.path in unlike else (200, 201, 202, 204)
        if route.path.startswith("/api/agent/chat/"):  # nobody has said anything since
            expected = (200,)
        if route.path == "/api/items/{id}/files":  # what is sent is no photograph
            expected = (422,) if route.method == "post" else (200,)
        if route.path.startswith("/api/erasures"):  # of a note that there is not
            expected = (200, 404)
        if (route.method, route.path) == ("delete", "/api/imports/{importId}"):  # it has ended
            expected = (409,)
        if route.path.endswith("/regenerate"):  # while the first answer may still be written
            expected = (202, 409)
        assert status in expected, (route, status, problem)


async def test_what_was_refused_has_changed_nothing(matrix: Matrix) -> None:
    request = [route for route in await routes(matrix) if route.names_something]
    before = await _state(matrix)
    for name in ("anonymous", "other organization", "viewer", "read-only token", "revoked token"):
        for route in request:
            if route.method != "get":
                await matrix.ask(route, await matrix.headers(name))
    assert await _state(matrix) == before


async def _state(matrix: Matrix) -> list[Any]:
    headers = await matrix.headers("owner")

    async def read(path: str) -> Any:
        return (await matrix.client.get(path, headers=headers)).json()

    note = matrix.ids["/api/notes"]
    job = f"/api/notes/{note}/research/jobs/{matrix.ids['/api/runs']}"
    chat = f"/api/chat/sessions/{matrix.ids['/api/chat']}"
    result = [await read(path) for path in (f"/api/notes/{note}", job, "/api/invitations", chat)]
    members = await read("/api/members")
    result.append(sorted((row["userId"], row["role"]) for row in members))
    living = {row["id"] for row in await read("/api/sessions")}
    revoked = {row["id"]: row["revokedAt"] for row in await read("/api/tokens")}
    token = matrix.ids["/api/tokens"]
    return [*result, matrix.ids["/api/sessions"] in living, revoked[token]]


def test_a_route_without_a_rule_keeps_the_program_from_starting() -> None:
    router = APIRouter()

    @router.get("/api/forgotten")
    async def forgotten() -> None: ...

    with pytest.raises(NoRule, match="GET /api/forgotten"):
        ruled(router)


async def test_every_operation_names_its_rule(anonymous: httpx.AsyncClient) -> None:
    api = await document(anonymous)
    for path, calls in api["paths"].items():
        for method, call in calls.items():
            assert call[ACCESS] in RULES.values(), (method, path)
            assert ("security" in call) == (call[ACCESS] != "public"), (method, path)


def _every_route(routes: Iterable[BaseRoute]) -> Iterator[BaseRoute]:
    """The routes of an application, those of included routers with them."""
    for route in routes:
        if (router := getattr(route, "original_router", None)) is not None:
            yield from _every_route(router.routes)
        else:
            yield route


def _declared(platform: Platform) -> dict[str, str]:
    """Each call of the program as the table names it, with the rule that the code gives it."""
    app = application(platform, [work_events.router, chat_events.router, agent.router])
    declared: dict[str, str] = {}
    for route in _every_route(app.routes):
        assert isinstance(route, HttpRoute), f"{route} is nothing that this test knows how to check"
        rule = (getattr(route, "openapi_extra", None) or {}).get(ACCESS, "public")
        for method in (route.methods or set()) - {"HEAD"}:
            call = general(method, route.path, platform.kinds)
            assert declared.setdefault(call, rule) == rule, f"{call}: kinds differ in their rule"
    for event in CLIENT_EVENTS:
        talks_or = "talk" if event.talks else event.scope.value
        declared[f"{event.namespace} {event.name}"] = talks_or
    return declared


async def test_the_program_declares_the_rules_that_were_written_down(platform: Platform) -> None:
    declared, written = _declared(platform), written_rules()
    assert sorted(declared.keys() - written.keys()) == [], FIX
    assert sorted(written.keys() - declared.keys()) == [], "take those away: the program has none"
    differ = {call: (declared[call], rule) for call, rule in written.items()
              if declared[call] != rule}  # fmt: skip
    assert differ == {}, "declared by the program, written down"
    assert set(written.values()) == set(RULES.values())


async def test_things_that_do_not_exist_are_told_apart_from_nothing_else(matrix: Matrix) -> None:
    matrix.ids = {prefix: str(new_id()) for prefix in matrix.ids}
    for route in [route for route in await routes(matrix) if route.names_something]:
        answer = await matrix.ask(route, await matrix.headers("owner"))
        assert answer == (404, NOT_FOUND), route


async def test_what_a_rule_refuses_is_refused_before_anything_is_looked_for(
    matrix: Matrix,
) -> None:
    matrix.ids = {prefix: str(new_id()) for prefix in matrix.ids}
    refused = [
        route
        for route in await routes(matrix)
        if route.names_something and REFUSED["read-only token"][route.rule] == FORBIDDEN
    ]
    assert {route.rule for route in refused} >= {"write", "talk"}
    headers = await matrix.headers("read-only token")
    for route in refused:
        assert await matrix.ask(route, headers) == (403, FORBIDDEN), route
