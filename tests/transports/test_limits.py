"""How much anybody may ask for: per person, per address, for guesses, and at the same time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from whence.kernel.ids import new_id
from whence.kernel.settings import Settings
from whence.tenancy.principal import Role, principal
from whence.transports.edge import limits
from whence.transports.edge.limits import Limits, TooManyRequests

pytestmark = pytest.mark.anyio
PER_MINUTE = 30


@pytest.fixture
def settings(settings: Settings) -> Settings:
    proxied = {"trusted_proxies": ["127.0.0.1"], "requests_per_minute": PER_MINUTE}
    return settings.model_copy(update=proxied)


@asynccontextmanager
async def at(serve: str, address: str, **headers: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client behind the trusted proxy, at this address."""
    sent = {"X-Forwarded-For": address} | headers
    async with httpx.AsyncClient(base_url=serve, headers=sent, timeout=30) as client:
        yield client


async def refused_after(client: httpx.AsyncClient, path: str, most: int = 100) -> int:
    """How many requests were answered before one was refused."""
    for count in range(most):
        answer = await client.get(path)
        if answer.status_code == 429:
            assert answer.json()["type"] == "/problems/too-many"
            assert 1 <= int(answer.headers["retry-after"]) <= 60
            assert answer.headers["x-content-type-options"] == "nosniff"
            return count
    return most


async def test_an_address_is_limited_and_others_are_not(serve: str) -> None:
    async with at(serve, "192.0.2.1") as one, at(serve, "192.0.2.2") as other:
        assert await refused_after(one, "/docs") == PER_MINUTE
        assert (await one.get("/api/me")).status_code == 429
        assert (await other.get("/docs")).status_code == 200


async def test_health_is_always_answered(serve: str) -> None:
    async with at(serve, "192.0.2.1") as client:
        await refused_after(client, "/nothing")
        for path in ("/healthz", "/readyz"):
            assert (await client.get(path)).status_code == 200


async def test_a_person_is_limited_over_all_addresses_and_secrets(
    platform: Any, serve: str, session_of: Any, new_principal: Any
) -> None:
    one = f"Bearer {(await session_of(platform.owner)).access}"
    two = f"Bearer {(await session_of(platform.owner)).access}"
    fellow = new_principal(Role.MEMBER, platform.owner.org_id)
    third = f"Bearer {(await session_of(fellow)).access}"
    async with (
        at(serve, "192.0.2.1", Authorization=one) as here,
        at(serve, "192.0.2.2", Authorization=two) as there,
        at(serve, "192.0.2.1", Authorization=third) as beside,
    ):
        assert await refused_after(here, "/api/me") == PER_MINUTE
        assert (await there.get("/api/me")).status_code == 429
        assert (await beside.get("/api/me")).status_code == 200


async def test_wrong_credentials_count_for_their_address(serve: str) -> None:
    async with at(serve, "192.0.2.1", Authorization="Bearer whence_wrong") as client:
        assert await refused_after(client, "/api/me") == PER_MINUTE
    async with at(serve, "192.0.2.1") as client:
        assert (await client.get("/docs")).status_code == 429


async def test_guesses_are_limited_more_strictly(serve: str) -> None:
    body = {"email": "a@example.org", "token": "x", "password": "y"}
    async with at(serve, "192.0.2.1") as client:
        statuses = [
            (await client.post(f"/api/auth/{path}", json=body)).status_code
            for path in ("reset", "accept", "reset", "accept", "reset", "accept")
        ]
        assert statuses == [422, 422, 422, 422, 422, 429]
        assert (await client.post("/api/auth/sign-in", json=body)).status_code == 429
        assert (await client.get("/docs")).status_code == 200


async def test_a_client_cannot_choose_the_address_that_it_is_counted_by(serve: str) -> None:
    """Only what the proxy itself appended counts; everything left of it anybody can write."""
    async with httpx.AsyncClient(base_url=serve, timeout=30) as client:
        statuses = [
            (
                await client.get(
                    "/docs", headers={"X-Forwarded-For": f"192.0.2.{number}, 198.51.100.7"}
                )
            ).status_code
            for number in range(PER_MINUTE + 1)
        ]
    assert statuses == [200] * PER_MINUTE + [429]


async def test_a_full_process_says_when_to_come_again(
    serve: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_AT_ONCE", 0)
    async with at(serve, "192.0.2.1") as client:
        full = await client.get("/docs")
        assert (full.status_code, full.json()["type"]) == (503, "/problems/unavailable")
        assert full.headers["retry-after"] == "1"
        assert (await client.get("/healthz")).status_code == 200


def test_an_ipv6_customer_is_one_address() -> None:
    result = Limits(10)
    for number in range(10):
        result.count_address(f"2001:db8:0:1::{number:x}")
    with pytest.raises(TooManyRequests):
        result.count_address("2001:db8:0:1:ffff::1")
    result.count_address("2001:db8:0:2::1")


def test_the_fewest_guesses_are_enough_to_mistype() -> None:
    result = Limits(1)
    for _ in range(limits.FEWEST_GUESSES):
        result.count_guess("192.0.2.1")
    with pytest.raises(TooManyRequests) as refused:
        result.count_guess("192.0.2.1")
    assert 0 < refused.value.retry_after <= 60
    result.count_principal(principal(new_id(), new_id(), Role.OWNER))
