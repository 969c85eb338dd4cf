"""When reading the log fails in a way that waiting does not cure, the client comes to know."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from streams.conftest import Listen, Play, eventually

pytestmark = pytest.mark.anyio


async def test_a_client_whose_reader_failed_is_cut_off_and_goes_on_when_it_comes_back(
    play: Play, serve: str, listen: Listen, transport: str, database_url: str
) -> None:
    client = await listen(serve, transport)
    await client.until(await play.say(2))
    with psycopg.connect(database_url, autocommit=True) as database:
        database.execute("ALTER FUNCTION whence.read_events RENAME TO read_events_no_more")
        await play.say()
        await eventually(lambda: client.cuts)
        database.execute("ALTER FUNCTION whence.read_events_no_more RENAME TO read_events")
    await client.until(await play.end())
    assert client.seqs == list(range(1, play.last + 1))
    assert client.connects > 1


async def test_the_error_of_a_feed_reaches_every_reader_and_the_next_one_begins_anew(
    play: Play, database_url: str
) -> None:
    bus, org = play.platform.bus, play.platform.owner.org_id
    readers = [bus.tail(org, play.run_id, 1) for _ in range(3)]
    waiting = [asyncio.ensure_future(anext(reader)) for reader in readers]
    await eventually(lambda: bus.head(org, play.run_id) == 1)
    with psycopg.connect(database_url, autocommit=True) as database:
        database.execute("ALTER FUNCTION whence.read_events RENAME TO read_events_no_more")
        await play.say()
        async with asyncio.timeout(150):
            reported = await asyncio.gather(*waiting, return_exceptions=True)
        database.execute("ALTER FUNCTION whence.read_events_no_more RENAME TO read_events")
    assert [type(error) for error in reported] == [psycopg.errors.UndefinedFunction] * 3
    another = bus.tail(org, play.run_id, 1)
    assert [event.seq for event in await anext(another)] == [2]
    await another.aclose()
