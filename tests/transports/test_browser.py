"""What a browser is allowed: the one-time link, its own pages' changes, this server's own names."""

from __future__ import annotations

import base64
import hashlib
import itertools
from collections.abc import AsyncIterator

import httpx
import pytest

from whence.app.platform import Platform
from whence.tenancy import tokens

pytestmark = pytest.mark.anyio
COOKIE = "whence_access"


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
    cookies = {line.partition("=")[0]: line.lower() for line in set_cookies(opened)}
    for name, path in ((COOKIE, "path=/;"), ("whence_refresh", "path=/api/auth;")):
        assert all(word in cookies[name] for word in ("httponly", "samesite=strict", path))
    assert (await anonymous.get("/api/me")).json()["role"] == "owner"

    # A second click of the same browser leads on.
    assert (await anonymous.get(link)).headers["location"] == "/"
    anonymous.cookies.clear()
    again = await anonymous.get(link)
    assert (again.headers["location"], COOKIE in again.cookies) == ("/sign-in?link=used", False)
    assert (await anonymous.get("/api/me")).status_code == 401


def set_cookies(answer: httpx.Response) -> list[str]:
    return [f"{line};" for line in answer.headers.get_list("set-cookie")]


async def test_looking_ahead_or_embedding_does_not_spend_the_link(
    anonymous: httpx.AsyncClient, link: str
) -> None:
    for headers in (
        {"Sec-Fetch-Dest": "image"},
        {"Sec-Fetch-Dest": "iframe"},
        {"Sec-Fetch-Dest": "empty"},
        {"Sec-Purpose": "prefetch;prerender", "Sec-Fetch-Dest": "document"},
        {"Purpose": "prefetch"},
    ):
        assert (await anonymous.get(link, headers=headers)).status_code == 403, headers
    assert (await anonymous.head(link)).status_code == 405
    opened = await anonymous.get(link, headers={"Sec-Fetch-Dest": "document"})
    assert opened.status_code == 303


async def test_a_sign_in_link_or_a_refresh_secret_is_no_way_into_the_api(
    browser: httpx.AsyncClient, platform: Platform
) -> None:
    refresh = browser.cookies["whence_refresh"]
    unused = await tokens.issue(platform.db, platform.owner, "link", kind="sign_in")
    browser.cookies.clear()
    for secret in (refresh, unused):
        for headers in (
            {"Authorization": f"Bearer {secret}"},
            {"Cookie": f"{COOKIE}={secret}"},
        ):
            assert (await browser.get("/api/me", headers=headers)).status_code == 401


ORIGINS: list[tuple[dict[str, str], int]] = [
    ({}, 403),
    ({"Origin": "https://evil.example"}, 403),
    ({"Origin": "null"}, 403),
    ({"Origin": "http://127.0.0.1:1"}, 403),
    ({"Sec-Fetch-Site": "cross-site"}, 403),
    ({"Sec-Fetch-Site": "same-site"}, 403),
    ({"Sec-Fetch-Site": "none"}, 403),
    ({"Sec-Fetch-Site": "cross-site", "Origin": "OWN"}, 403),
    ({"Sec-Fetch-Site": "cross-site", "Origin": "null"}, 403),
    ({"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"}, 403),
    ({"Sec-Fetch-Site": "same-origin"}, 201),
    ({"Sec-Fetch-Site": "same-origin", "Origin": "null"}, 201),
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
    hosts = ("evil.example", "127.0.0.1.evil.example", "", "localhost@evil", "192.0.2.1")
    paths = ("/healthz", "/api/notes", "/socket.io/?EIO=4&transport=polling")
    for host, path in itertools.product(hosts, paths):
        refused = await owner.get(path, headers={"Host": host})
        problem = (refused.status_code, refused.json()["type"])
        assert problem == (421, "/problems/wrong-host"), (host, path)


async def test_this_machines_own_names_are_answered(anonymous: httpx.AsyncClient) -> None:
    for host in ("localhost", "LOCALHOST:99", "127.0.0.1:1", "[::1]:8000"):
        assert (await anonymous.get("/healthz", headers={"Host": host})).status_code == 200, host


ANSWERS: list[tuple[str, str, dict[str, str], int]] = [
    ("GET", "/", {}, 200),
    ("GET", "/sign-in", {}, 200),
    ("GET", "/docs", {}, 200),
    ("GET", "/healthz", {}, 200),
    ("GET", "/api/me", {}, 401),
    ("GET", "/nothing", {}, 404),
    ("DELETE", "/api/notes", {}, 405),
    ("GET", "/api/notes", {"Host": "evil.example"}, 421),
    ("GET", "/%00", {}, 422),
    ("GET", "/socket.io/?EIO=4&transport=polling", {}, 200),
    ("GET", "/socket.io/?EIO=9&transport=polling", {}, 400),
    ("GET", "/socket.io/nothing", {}, 400),
]


async def test_every_answer_carries_the_security_headers(anonymous: httpx.AsyncClient) -> None:
    for method, path, more, status in ANSWERS:
        answer = await anonymous.request(method, path, headers=more)
        headers = answer.headers
        assert answer.status_code == status, (method, path)
        assert headers["x-content-type-options"] == "nosniff", path
        assert headers["x-frame-options"] == "DENY", path
        assert headers["cross-origin-opener-policy"] == "same-origin", path
        assert headers["cross-origin-resource-policy"] == "same-origin", path
        assert "camera=()" in headers["permissions-policy"], path
        assert headers["content-security-policy"].startswith("default-src 'none';"), path
        assert "frame-ancestors 'none'" in headers["content-security-policy"], path
        assert "unsafe" not in headers["content-security-policy"], path
        assert headers["referrer-policy"] in ("no-referrer", "same-origin"), path
        assert "strict-transport-security" not in headers, path
        assert "access-control-allow-origin" not in headers, path
        assert "no-store" in headers["cache-control"], path


async def test_a_stream_is_not_kept_by_anybody(owner: httpx.AsyncClient) -> None:
    note = (await owner.post("/api/notes", json={"title": "A", "text": "b"})).json()["id"]
    job = (await owner.post(f"/api/notes/{note}/research")).json()["jobId"]
    async with owner.stream("GET", f"/api/runs/{job}/events") as stream:
        assert stream.headers["cache-control"] == "no-store"
        assert stream.headers["x-content-type-options"] == "nosniff"


async def test_the_pages_load_nothing_and_run_nothing(anonymous: httpx.AsyncClient) -> None:
    for path in ("/", "/docs", "/problems/not-found"):
        answer = await anonymous.get(path)
        text = answer.text
        assert "<script" not in text
        assert "style=" not in text
        assert "http://" not in text
        assert "https://" not in text
        policy = answer.headers["content-security-policy"]
        style = text.partition("<style>")[2].partition("</style>")[0].encode()
        digest = base64.b64encode(hashlib.sha256(style).digest()).decode()
        assert f"style-src 'sha256-{digest}'" in policy
    assert "/api/notes/{id}/research" in (await anonymous.get("/docs")).text


async def test_health_needs_no_sign_in(anonymous: httpx.AsyncClient) -> None:
    for path in ("/healthz", "/readyz"):
        assert (await anonymous.get(path)).json() == {"status": "ok"}
