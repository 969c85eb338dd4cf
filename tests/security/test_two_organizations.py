"""Two organizations walk through random actions and never see each other's rows."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack
from typing import Any

import httpx
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from security.walk import Crossed, Party, calls, step
from whence.app.platform import Platform
from whence.tenancy import tokens
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio
STEPS = 80
"""Actions of one walk."""


@pytest.fixture
async def parties(
    platform: Platform, worker: object, serve: str, new_principal: Any
) -> AsyncIterator[tuple[Party, Party]]:
    async with AsyncExitStack() as stack:

        async def party(mark: str) -> Party:
            token = await tokens.issue(platform.db, new_principal(Role.OWNER), mark)
            client = httpx.AsyncClient(
                base_url=serve, headers={"Authorization": f"Bearer {token}"}, timeout=30
            )
            return Party(mark, await stack.enter_async_context(client))

        yield await party("zebrafinch"), await party("moorhen")


async def walk(seed: int, parties: tuple[Party, Party], steps: int) -> None:
    chance = random.Random(seed)
    document = (await parties[0].client.get("/openapi.json")).json()
    known = calls(document)
    # Many of the actions make something and list it, so that there is something to see.
    making = [c for c in known if c.method == "POST" and not c.path.startswith("/api/sessions")]
    listing = [c for c in known if c.method == "GET" and "{" not in c.path]
    for _ in range(steps):
        who, other = chance.sample(parties, 2)
        await step(chance, chance.choice(chance.choice([known, making, listing])), who, other)


async def walks(seeds: Iterable[int], parties: tuple[Party, Party]) -> None:
    for seed in seeds:
        await walk(seed, parties, 300)


@pytest.mark.long
@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32))
async def test_no_walk_shows_one_organization_a_row_of_the_other(
    parties: tuple[Party, Party], seed: int
) -> None:
    await walk(seed, parties, STEPS)


async def test_a_walk_shows_no_row_of_the_other_and_reaches_what_it_is_about(
    parties: tuple[Party, Party],
) -> None:
    for seed in (9, 10):
        await walk(seed, parties, 500)
    for party in parties:
        assert len(party.ids) > 25
    answered = parties[0].answered | parties[1].answered
    for path in ("/api/notes", "/api/items", "/api/tokens", "/api/chat/sessions"):
        assert f"GET {path}" in answered
    assert any(call.startswith("GET") and "{id}" in call for call in answered)
    assert len(answered) > 12


@pytest.mark.parametrize(
    "table", ["sample_pack.notes", pytest.param("resale.items", marks=pytest.mark.long)]
)
async def test_a_walk_finds_the_hole_where_a_table_is_open(
    parties: tuple[Party, Party], database_url: str, table: str
) -> None:
    with psycopg.connect(database_url, autocommit=True) as admin:
        admin.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY".encode())
    with pytest.raises(Crossed):
        await walks(range(7, 17), parties)  # one walk among many routes may pass by the hole
