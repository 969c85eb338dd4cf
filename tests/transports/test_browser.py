"""What a browser is allowed: the one-time link, its own pages' changes, this server's own names."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator

import httpx
import pytest

from whence.sdk.platform import Platform
from whence.tenancy import tokens

pytestmark = pytest.mark.anyio
COOKIE = "whence_session"


@pytest.fixture
async def link(platform: Platform) -> str:
    token = await tokens.issue(platform.db, platform.owner, "sign-in link", kind="sign_in")
    return f"/sign-in?token={token}"


@pytest.fixture
async def browser(serve: str, link: str) -> AsyncIterator[httpx.AsyncClient]:
    """A browser that has opened the link."""
    async with httpx.AsyncClient(base_url=serve) as client:
        await client.get(link)
        yield client


async def test_the_sign_in_link_works_once(anonymous: httpx.AsyncClient, link: str) -> None:
    opened = await anonymous.get(link)
    assert (opened.status_code, opened.headers["location"]) == (303, "/")
    cookie = opened.headers["set-cookie"].lower()
    assert all(word in cookie for word in (COOKIE, "httponly", "samesite=strict", "path=/"))
    assert "Signed in as Owner" in (await anonymous.get("/")).text
    assert (await anonymous.get("/api/me")).json()["role"] == "owner"

    anonymous.cookies.clear()
    again = await anonymous.get(link)
    assert (again.status_code, COOKIE in again.cookies) == (401, False)
    assert "You are not signed in" in (await anonymous.get("/")).text


async def test_a_sign_in_link_or_a_session_is_no_api_token(
    browser: httpx.AsyncClient, platform: Platform
) -> None:
    session = browser.cookies[COOKIE]
    unused = await tokens.issue(platform.db, platform.owner, "link", kind="sign_in")
    browser.cookies.clear()
    for secret in (session, unused):
        refused = await browser.get("/api/me", headers={"Authorization": f"Bearer {secret}"})
        assert refused.status_code == 401


ORIGINS: list[tuple[dict[str, str], int]] = [
    ({}, 403),
    ({"Origin": "https://evil.example"}, 403),
    ({"Origin": "null"}, 403),
    ({"Origin": "http://127.0.0.1:1"}, 403),
    ({"Sec-Fetch-Site": "cross-site"}, 403),
    ({"Sec-Fetch-Site": "same-site"}, 403),
    ({"Sec-Fetch-Site": "none"}, 403),
    ({"Sec-Fetch-Site": "cross-site", "Origin": "OWN"}, 403),
    ({"Sec-Fetch-Site": "same-origin"}, 201),
    ({"Origin": "OWN"}, 201),
    ({"Sec-Fetch-Site": "same-origin", "Origin": "OWN"}, 201),
]


async def test_only_whences_own_pages_change_things_with_the_cookie(
    browser: httpx.AsyncClient, serve: str
) -> None:
    for headers, status in ORIGINS:
        sent = {name: serve if value == "OWN" else value for name, value in headers.items()}
        made = await browser.post("/api/notes", json={"title": "A"}, headers=sent)
        assert made.status_code == status, headers
        assert (await browser.get("/api/notes", headers=sent)).status_code == 200, headers


async def test_a_request_for_another_host_name_is_refused(owner: httpx.AsyncClient) -> None:
    hosts = ("evil.example", "127.0.0.1.evil.example", "", "localhost@evil")
    paths = ("/healthz", "/api/notes", "/socket.io/?EIO=4&transport=polling")
    for host, path in itertools.product(hosts, paths):
        refused = await owner.get(path, headers={"Host": host})
        problem = (refused.status_code, refused.json()["type"])
        assert problem == (421, "/problems/wrong-host"), (host, path)


async def test_this_machines_own_names_are_answered(anonymous: httpx.AsyncClient) -> None:
    for host in ("localhost", "LOCALHOST:99", "127.0.0.1:1", "[::1]:8000"):
        assert (await anonymous.get("/healthz", headers={"Host": host})).status_code == 200, host


async def test_every_answer_carries_the_security_headers(anonymous: httpx.AsyncClient) -> None:
    for path in ("/", "/api/me", "/healthz", "/nothing", "/docs"):
        headers = (await anonymous.get(path, headers={"Origin": "https://evil.example"})).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "access-control-allow-origin" not in headers


async def test_the_pages_load_nothing_and_run_nothing(anonymous: httpx.AsyncClient) -> None:
    for path in ("/", "/docs", "/problems/not-found"):
        text = (await anonymous.get(path)).text
        assert "<script" not in text
        assert "http://" not in text
        assert "https://" not in text
    assert "/api/notes/{id}/research" in (await anonymous.get("/docs")).text


async def test_health_needs_no_sign_in(anonymous: httpx.AsyncClient) -> None:
    for path in ("/healthz", "/readyz"):
        assert (await anonymous.get(path)).json() == {"status": "ok"}
