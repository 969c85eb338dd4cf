"""A client that does not read costs little memory, holds nobody up, and is told what it missed."""

from __future__ import annotations

import asyncio
import socket

import pytest

from streams.conftest import Listen, Play, eventually
from streams.listeners import Line, SocketListener
from whence.events import feed
from whence.transports.edge import unresponsive as stuck
from whence.transports.routes.sockets import server
from whence.transports.routes.sockets.server import Outbox
from whence.transports.routes.streams import event_stream
from whence.transports.routes.streams.event_stream import (
    MAX_BEHIND,
    MAX_BEHIND_SECONDS,
    is_too_slow,
)

pytestmark = pytest.mark.anyio
LONG = "x" * 20_000
MANY = 400
"""Events that together are more than what pipes and kernels hold between server and client."""


async def test_a_slow_reader_gets_gap_and_snapshot_and_goes_on_from_the_newest(
    play: Play,
    line: Line,
    serve: str,
    listen: Listen,
    transport: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(event_stream, "MAX_BEHIND", 50)
    monkeypatch.setattr(event_stream, "MAX_BEHIND_SECONDS", 0.2)
    monkeypatch.setattr(server, "MAX_WAITING", 10)
    slow = await listen(line.url, transport)
    fast = [await listen(serve, kind) for kind in ("sse", "socket")]
    await slow.until(1)
    line.hold()
    for _ in range(MANY // 20):
        await play.say(20, LONG)
        for one in fast:
            await one.until(play.last)  # nobody waits for the slow one
    assert max(outbox.qsize() for outbox in outboxes()) <= 10
    await asyncio.sleep(0.3)
    line.release()
    await slow.until("job_status" if transport == "sse" else "gap")
    await eventually(lambda: slow.names[-1] == "job_status")
    await slow.until(await play.end())
    at = slow.names.index("gap")
    reported = slow.events[at][1]
    before = [data["seq"] for _, data in slow.events[:at] if "seq" in data]
    after = [data["seq"] for _, data in slow.events[at:] if "seq" in data]
    assert before == list(range(1, reported["after"] + 1))
    assert reported["lastSeq"] - reported["after"] > 50
    assert slow.names[at + 1] == "job_status"
    assert after == list(range(reported["lastSeq"] + 1, play.last + 1))
    assert slow.connects == line.accepted == 1  # it was never cut off
    for one in fast:
        assert one.seqs == list(range(1, play.last + 1))


def outboxes() -> list[Outbox]:
    """What waits for the sockets of this process, which the server runs in."""
    import gc

    return [item for item in gc.get_objects() if isinstance(item, Outbox)] or [Outbox()]


async def test_a_burst_is_no_reason_for_a_gap(
    play: Play, serve: str, listen: Listen, transport: str
) -> None:
    client = await listen(serve, transport)
    await client.until(1)
    await play.say(MAX_BEHIND + 500)
    await client.until(await play.end(), seconds=60)
    assert client.seqs == list(range(1, play.last + 1))
    assert "gap" not in client.names


async def test_a_long_log_is_replayed_in_pages_without_a_gap(
    play: Play, serve: str, listen: Listen, transport: str
) -> None:
    await play.say(2 * feed.KEPT + feed.PAGE)
    await play.end()
    client = await listen(serve, transport)
    await client.until(play.last, seconds=60)
    assert client.seqs == list(range(1, play.last + 1))


async def test_what_waits_for_a_socket_waits_in_the_log(
    play: Play, line: Line, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MAX_WAITING", 10)
    client = await listen(line.url, "socket")
    assert isinstance(client, SocketListener)
    await client.until(1)
    line.hold()
    await play.say(MANY, LONG)
    await eventually(lambda: max(one.qsize() for one in outboxes()) == 10)
    await asyncio.sleep(0.3)
    assert max(one.qsize() for one in outboxes()) == 10
    line.release()
    await client.until(await play.end())
    assert client.seqs == list(range(1, play.last + 1))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stuck, "STUCK_SECONDS", 1.0)


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux has this limit")
async def test_a_client_that_takes_nothing_at_all_is_closed_and_may_come_back(
    impatient: None, play: Play, line: Line, listen: Listen, transport: str
) -> None:
    client = await listen(line.url, transport)
    await client.until(1)
    line.hold()
    await play.say(MANY, LONG)
    await eventually(lambda: play.platform.bus.readers(play.run_id) == 0)
    line.cut()
    line.release()
    await client.until(await play.end())
    assert client.seqs == list(range(1, play.last + 1))
    assert client.connects == 2


def test_only_who_is_far_behind_for_long_is_too_slow() -> None:
    assert is_too_slow(MAX_BEHIND + 1, MAX_BEHIND_SECONDS + 0.1)
    assert not is_too_slow(MAX_BEHIND, 3600)
    assert not is_too_slow(10**6, MAX_BEHIND_SECONDS)
