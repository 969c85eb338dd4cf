"""Several API processes, and one that is replaced behind its clients."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlsplit

import pytest

from streams.conftest import Listen, Play, eventually
from streams.listeners import Line

pytestmark = pytest.mark.anyio


async def test_two_api_processes_serve_one_stream(
    play: Play, serve: str, listen: Listen, start_api: Any
) -> None:
    other = await start_api()
    clients = [
        await listen(url, kind) for url in (serve, other.url) for kind in ("sse", "socket") * 3
    ]
    for _ in range(10):
        await play.say(3)
    await play.end()
    await asyncio.gather(*(client.until(play.last) for client in clients))
    for client in clients:
        assert client.seqs == list(range(1, play.last + 1))


@pytest.mark.long
async def test_a_killed_api_process_is_replaced_behind_its_clients(
    play: Play, line: Line, listen: Listen, start_api: Any
) -> None:
    """First at another port, as behind a balancer, then at the same one, as under a supervisor."""
    first, second = await asyncio.gather(start_api(), start_api())
    line.lead_to(first.url)
    clients = [await listen(line.url, kind) for kind in ("sse", "socket")]
    await play.say(2)
    await asyncio.gather(*(client.until(2) for client in clients))
    line.lead_to(second.url)
    first.kill()
    await play.say(2)  # while nobody listens
    await eventually(lambda: all(client.connects == 2 for client in clients))
    await play.say(2)
    await asyncio.gather(*(client.until(play.last) for client in clients))
    second.kill()
    await play.say(2)
    await start_api(urlsplit(second.url).port)
    await eventually(lambda: all(client.connects == 3 for client in clients))
    await play.end()
    await asyncio.gather(*(client.until(play.last) for client in clients))
    for client in clients:
        assert client.seqs == list(range(1, play.last + 1))
        assert "gap" not in client.names
