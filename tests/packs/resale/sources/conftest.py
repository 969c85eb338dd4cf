"""A local server that plays marketplaces and catalogues, and settings that point at it."""

from __future__ import annotations

import json
import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import httpx
import pytest
from aiohttp import web

from whence.kernel.fetch import Fetcher, Limits
from whence.kernel.retry import RetryPolicy
from whence.packs.resale.settings import ResaleSettings

GTIN = "00012345678905"


@dataclass
class SentRequest:
    """One request as the server saw it."""

    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: str


@dataclass
class Market:
    """Answers by path, one after another (the last one stays); what it was asked."""

    base: str = ""
    routes: dict[str, list[tuple[int, bytes, dict[str, str]]]] = field(default_factory=dict)
    requests: list[SentRequest] = field(default_factory=list)

    def answer(self, path: str, value: object, status: int = 200, **headers: str) -> None:
        """Queue an answer; text and bytes go as they are, everything else as JSON."""
        body = value if isinstance(value, bytes) else None
        if body is None:
            body = (value if isinstance(value, str) else json.dumps(value)).encode()
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        self.routes.setdefault(path, []).append((status, body, named))

    def at(self, path: str) -> list[SentRequest]:
        return [request for request in self.requests if request.path == path]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def tls() -> ssl.SSLContext:
    """Read once: it takes longer than most tests."""
    return httpx.create_ssl_context()


@pytest.fixture
async def market() -> AsyncIterator[Market]:
    played = Market()

    async def handle(request: web.Request) -> web.StreamResponse:
        played.requests.append(
            SentRequest(
                request.path, dict(request.query), dict(request.headers), await request.text()
            )
        )
        queue = played.routes.get(request.path)
        if not queue:
            return web.Response(status=418, text=f"nothing planned for {request.path}")
        status, body, headers = queue.pop(0) if len(queue) > 1 else queue[0]
        return web.Response(
            status=status, body=body, headers={"Content-Type": "application/json", **headers}
        )

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    played.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield played
    await runner.cleanup()


@pytest.fixture
async def fetcher(tls: ssl.SSLContext) -> AsyncIterator[Fetcher]:
    limits = Limits(
        connect=0.5,
        read=0.5,
        total=2.0,
        size=300_000,
        retry=RetryPolicy(first_wait=0.01, longest_wait=2.0),
    )
    async with Fetcher(limits=limits, tls=tls) as client:
        yield client


@pytest.fixture
def settings(market: Market, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ResaleSettings]:
    """Settings from the environment, as an operator sets them; all sources on unless changed."""

    def make(**changes: str | None) -> ResaleSettings:
        values: dict[str, str | None] = {
            "ebay_client_id": "app-id",
            "ebay_client_secret": "ebay-s3cret",
            "ebay_base_url": market.base,
            "amazon_client_id": "lwa-id",
            "amazon_client_secret": "lwa-s3cret",
            "amazon_refresh_token": "refresh-s3cret",
            "amazon_base_url": market.base,
            "amazon_token_url": f"{market.base}/auth/o2/token",
            "upcitemdb": "true",
            "upcitemdb_base_url": market.base,
            "openfacts": "true",
            "openfacts_contact": "me@example.org",
            "openfacts_base_url": market.base,
            **changes,
        }
        for name, value in values.items():
            variable = f"WHENCE_RESALE_{name.upper()}"
            if value is None:
                monkeypatch.delenv(variable, raising=False)
            else:
                monkeypatch.setenv(variable, value)
        return ResaleSettings()

    return make
