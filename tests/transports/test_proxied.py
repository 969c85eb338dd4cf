"""Behind a proxy, and for other sites: whose word counts, and what a browser is told."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
import socketio
from socketio import exceptions

from whence.kernel.errors import Misconfigured
from whence.kernel.settings import Settings
from whence.tenancy import invitations, tokens
from whence.tenancy.principal import Role
from whence.transports.edge.origins import OpenAddress, require_accounts_beyond_loopback
from whence.transports.edge.site import bucket_of, site_of

pytestmark = pytest.mark.anyio
PUBLIC = "https://whence.example.org"
DESK = "https://desk.example.org"
SESSION = "__Host-whence_access"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    proxied = {
        "public_url": PUBLIC,
        "trusted_proxies": ["127.0.0.1"],
        "allowed_origins": [DESK],
        "accounts": True,
    }
    return settings.model_copy(update=proxied)


@pytest.fixture
async def cookie(platform: Any, session_of: Any) -> dict[str, str]:
    return {"Cookie": f"{SESSION}={(await session_of(platform.owner)).access}"}


async def test_over_tls_the_cookies_are_secure_and_bound_to_the_host(
    platform: Any, anonymous: httpx.AsyncClient
) -> None:
    secret = await invitations.invite(platform.db, platform.owner, "a@example.org", Role.MEMBER)
    body = {"token": secret, "name": "Ada", "password": "a long enough password"}
    opened = await anonymous.post("/api/auth/accept", json=body)
    cookies = opened.headers.get_list("set-cookie")
    assert [line.partition("=")[0] for line in cookies] == [SESSION, "__Host-whence_refresh"]
    # What browsers ask of `__Host-`, which a neighbouring subdomain cannot set.
    assert all("; Secure" in line and "Domain" not in line for line in cookies)
    assert all("; Path=/;" in line for line in cookies)
    assert opened.headers["strict-transport-security"] == "max-age=31536000"


async def test_a_cookie_without_its_prefix_is_none(
    anonymous: httpx.AsyncClient, cookie: dict[str, str]
) -> None:
    plain = {"Cookie": cookie["Cookie"].removeprefix("__Host-")}
    assert (await anonymous.get("/api/me", headers=cookie)).status_code == 200
    assert (await anonymous.get("/api/me", headers=plain)).status_code == 401


@pytest.mark.parametrize("host", ["whence.example.org", "127.0.0.1", "localhost:8000"])
async def test_changes_come_from_the_public_address_whatever_the_proxy_calls_us(
    anonymous: httpx.AsyncClient, cookie: dict[str, str], host: str
) -> None:
    for origin, status in (
        (PUBLIC, 201),
        ("http://whence.example.org", 403),
        ("https://whence.example.org:444", 403),
        ("https://evil.example", 403),
        ("null", 403),
    ):
        sent = cookie | {"Host": host, "Origin": origin}
        made = await anonymous.post("/api/notes", json={"title": "A"}, headers=sent)
        assert made.status_code == status, origin


async def test_a_browser_opens_a_socket_from_the_public_address_only(
    anonymous: httpx.AsyncClient,
) -> None:
    path = "/socket.io/?EIO=4&transport=polling"
    for origin, status in ((PUBLIC, 200), ("https://evil.example", 403), ("null", 403)):
        answer = await anonymous.get(path, headers={"Origin": origin})
        assert answer.status_code == status, origin


async def polled(serve: str, headers: dict[str, str], auth: dict[str, str] | None) -> bool:
    """Whether a socket opens by long polling, without a client that waits for its last poll."""
    path = "/socket.io/?EIO=4&transport=polling"
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=60) as client:
        opened = await client.get(path)
        if opened.status_code != 200:
            return False
        path += f"&sid={json.loads(opened.text[1:])['sid']}"
        await client.post(path, content=f"40/research,{json.dumps(auth or {})}")
        answer = (await client.get(path)).text
        await client.post(path, content="1")
    assert answer.startswith(("40/research,", "44/research,")), answer
    return answer.startswith("40")


async def connected(serve: str, headers: dict[str, str], auth: dict[str, str] | None) -> bool:
    """Whether a socket opens over a WebSocket."""
    client = socketio.AsyncClient(reconnection=False)
    try:
        await client.connect(
            serve,
            namespaces=["/research"],
            wait_timeout=30,
            headers=headers,
            auth=auth,
            transports=["websocket"],
        )
    except exceptions.ConnectionError:
        return False
    finally:
        await client.shutdown()
    return True


@pytest.mark.parametrize("opens", [polled, connected])
async def test_a_named_site_opens_a_socket_by_token_and_never_by_cookie(
    platform: Any, serve: str, cookie: dict[str, str], opens: Any
) -> None:
    token = {"token": await tokens.issue(platform.db, platform.owner, "desk")}
    assert await opens(serve, {"Origin": DESK}, token)
    assert not await opens(serve, {"Origin": DESK} | cookie, None)
    assert not await opens(serve, {"Origin": "https://evil.example"}, token)
    assert await opens(serve, {"Origin": PUBLIC} | cookie, None)


async def test_a_named_site_reads_what_a_socket_answers(
    anonymous: httpx.AsyncClient, cookie: dict[str, str]
) -> None:
    path = "/socket.io/?EIO=4&transport=polling"
    answer = await anonymous.get(path, headers=cookie | {"Origin": DESK})
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, DESK)
    assert "access-control-allow-credentials" not in answer.headers
    request = {"Access-Control-Request-Method": "POST", "Origin": DESK}
    assert (await anonymous.options(path, headers=request)).status_code == 204


async def test_a_host_that_is_not_the_public_one_is_refused(anonymous: httpx.AsyncClient) -> None:
    for host, status in (("whence.example.org", 200), ("evil.example.org", 421)):
        assert (await anonymous.get("/healthz", headers={"Host": host})).status_code == status
    forwarded = {"Host": "evil.example", "X-Forwarded-Host": "whence.example.org"}
    assert (await anonymous.get("/healthz", headers=forwarded)).status_code == 421


async def test_named_sites_read_answers_by_token_and_never_by_cookie(
    owner: httpx.AsyncClient, anonymous: httpx.AsyncClient, cookie: dict[str, str]
) -> None:
    allowed = await owner.get("/api/me", headers={"Origin": DESK})
    assert allowed.headers["access-control-allow-origin"] == DESK
    assert "access-control-allow-credentials" not in allowed.headers
    assert "origin" in allowed.headers["vary"].lower()
    by_cookie = await anonymous.get("/api/me", headers=cookie | {"Origin": DESK})
    assert by_cookie.status_code == 401
    for path in ("/", "/docs", "/healthz"):
        page = await owner.get(path, headers={"Origin": DESK})
        assert "access-control-allow-origin" not in page.headers, path


async def test_a_preflight_is_answered_for_named_sites_only(anonymous: httpx.AsyncClient) -> None:
    request = {"Access-Control-Request-Method": "PATCH"}
    allowed = await anonymous.options("/api/notes/x", headers=request | {"Origin": DESK})
    assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (204, DESK)
    assert "Authorization" in allowed.headers["access-control-allow-headers"]
    for origin in ("https://evil.example", f"{DESK}.evil.example", "null", PUBLIC):
        refused = await anonymous.options("/api/notes/x", headers=request | {"Origin": origin})
        assert refused.status_code == 405, origin
        assert "access-control-allow-origin" not in refused.headers, origin


HOPS: list[tuple[str, list[str], str]] = [
    ("198.51.100.1", ["192.0.2.1"], "198.51.100.1"),
    ("10.0.0.1", [], "10.0.0.1"),
    ("10.0.0.1", ["192.0.2.1"], "192.0.2.1"),
    ("10.0.0.1", ["203.0.113.9", " 192.0.2.1"], "192.0.2.1"),
    ("10.0.0.1", ["203.0.113.9", "192.0.2.1", "10.0.0.2"], "192.0.2.1"),
    ("10.0.0.1", ["10.0.0.3", "10.0.0.2"], "10.0.0.3"),
    ("10.0.0.1", ["192.0.2.1", "unknown"], "10.0.0.1"),
    ("10.0.0.1", ["192.0.2.1", "<script>"], "10.0.0.1"),
    ("10.0.0.1", ["2001:db8::7"], "2001:db8::7"),
    ("::ffff:10.0.0.1", ["192.0.2.1"], "192.0.2.1"),
]


@pytest.mark.parametrize(("peer", "hops", "client"), HOPS)
def test_the_client_is_the_first_hop_that_is_no_trusted_proxy(
    peer: str, hops: list[str], client: str
) -> None:
    site = site_of(Settings(trusted_proxies=["10.0.0.0/8"]))
    assert site.client_of(peer, hops) == client


def test_an_address_is_counted_in_one_spelling() -> None:
    assert bucket_of("::ffff:192.0.2.1") == bucket_of("192.0.2.1") == "192.0.2.1"
    assert bucket_of("2001:db8::1") == bucket_of("2001:DB8:0:0:1::2") == "2001:db8::/64"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", ""])
def test_beyond_this_machine_accounts_are_needed(host: str) -> None:
    site = site_of(Settings(), host)
    with pytest.raises(OpenAddress, match=r"WHENCE_ACCOUNTS=true.*whence account create"):
        require_accounts_beyond_loopback(site, accounts=False)
    require_accounts_beyond_loopback(site, accounts=True)
    assert "WHENCE_PUBLIC_URL" in site.warnings[0]


def test_serving_on_every_address_answers_to_figures_and_to_no_foreign_name() -> None:
    site = site_of(Settings(), "0.0.0.0")
    assert site.answers_to("192.168.1.7:8000")
    assert site.answers_to("[2001:db8::1]:8000")
    assert not site.answers_to("evil.example")
    assert not site_of(Settings()).answers_to("192.168.1.7:8000")


@pytest.mark.parametrize(
    "wrong",
    [
        {"public_url": "whence.example.org"},
        {"public_url": "https://whence.example.org/path"},
        {"public_url": "ftp://whence.example.org"},
        {"public_url": "https://user@whence.example.org"},
        {"public_url": "https://whence.example.org:port"},
        {"trusted_proxies": ["proxy.example.org"]},
        {"trusted_proxies": ["*"]},
        {"allowed_origins": ["*"]},
        {"allowed_origins": ["https://desk.example.org/app"]},
    ],
)
def test_a_setting_that_cannot_be_meant_is_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(Misconfigured, match="WHENCE_"):
        site_of(Settings(**wrong))
