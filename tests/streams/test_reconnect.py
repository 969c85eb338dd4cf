"""A client whose line breaks comes back with its cursor: no gap, no duplicate, the right order."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

import pytest

from streams.conftest import Listen, Play, eventually
from streams.listeners import Line
from whence.transports.routes.streams.event_stream import can_follow, follow
from whence.transports.routes.streams.work_stream import run_opening as opening

pytestmark = pytest.mark.anyio


def whole(listener: Any, last: int) -> None:
    assert listener.seqs == list(range(1, last + 1))
    assert "gap" not in listener.names


async def test_two_drops_in_a_row_lose_nothing(
    play: Play, line: Line, listen: Listen, transport: str
) -> None:
    client = await listen(line.url, transport)
    await client.until(await play.say(3))
    line.cut()
    await play.say(2)
    await eventually(lambda: client.connects == 2)
    line.cut()  # before it could catch up, perhaps
    await play.say(2)
    await client.until(await play.say())
    line.cut()
    await client.until(await play.end())
    whole(client, play.last)
    assert client.connects >= 3
    assert client.names[-1] == "job_complete"


async def test_a_drop_before_the_first_id_begins_anew(
    play: Play, line: Line, listen: Listen, transport: str
) -> None:
    client = await listen(line.url, transport)
    await eventually(lambda: client.connects == 1)
    client.events.clear()
    client.cursor = 0
    line.hold()
    line.cut()
    line.release()
    await play.say(2)
    await client.until(await play.end())
    whole(client, play.last)


async def test_a_client_that_has_everything_is_told_that_nothing_follows(
    play: Play, line: Line, listen: Listen
) -> None:
    client = await listen(line.url, "sse")
    await client.until(await play.end())
    await eventually(lambda: client.refusals == [204])
    whole(client, play.last)


async def test_a_cursor_too_old_gets_gap_snapshot_and_what_follows(
    play: Play, line: Line, listen: Listen, transport: str
) -> None:
    await play.say(9)
    await play.prune(6)
    client = await listen(line.url, transport, after=3)
    await client.until("job_status")
    await client.until(await play.say(2))
    assert client.names[:2] == ["gap", "job_status"]
    reported, snapshot = client.events[0][1], client.events[1][1]
    assert (reported["jobId"], reported["after"], reported["firstSeq"], reported["lastSeq"]) == (
        play.id,
        3,
        7,
        10,
    )
    assert (snapshot["id"], snapshot["status"], snapshot["lastSeq"]) == (play.id, "pending", 10)
    assert client.seqs == [11, 12]


async def test_a_finished_run_whose_events_are_gone_is_told_by_its_snapshot(
    play: Play, line: Line, listen: Listen, transport: str
) -> None:
    await play.prune(await play.end())
    client = await listen(line.url, transport, after=1)
    await client.until("job_status")
    assert client.names == ["gap", "job_status"]
    assert client.events[1][1]["status"] == "cancelled"


async def test_events_that_are_pruned_before_a_stream_came_to_them_are_a_gap(play: Play) -> None:
    await play.say(5)
    begin = await opening(play.platform, play.platform.owner, play.run_id, 1)
    await play.prune(4)
    async with aclosing(follow(play.platform, begin, snapshot=False)) as messages:
        assert begin.gap is None
        gap, snapshot = await anext(messages), await anext(messages)
        assert (gap.type, gap.data["after"], gap.data["lastSeq"]) == ("gap", 1, 6)
        assert (snapshot.type, snapshot.seq) == ("job_status", 6)
        await play.say()
        assert (await anext(messages)).seq == 7


async def test_a_cursor_from_the_future_gets_gap_snapshot_and_what_follows(
    play: Play, line: Line, listen: Listen, transport: str
) -> None:
    await play.say(2)
    client = await listen(line.url, transport, after=99)
    await client.until("job_status")
    await client.until(await play.say(3))
    assert client.names[:2] == ["gap", "job_status"]
    assert (client.events[0][1]["after"], client.events[0][1]["lastSeq"]) == (99, 3)
    assert client.seqs == [4, 5, 6]


@pytest.mark.parametrize(
    ("after", "first_kept", "last", "follows"),
    [
        (0, 1, 5, True),
        (5, 1, 5, True),
        (6, 1, 5, False),
        (2, 3, 5, True),
        (1, 3, 5, False),
        (5, 0, 5, True),
        (4, 0, 5, False),
        (0, 0, 0, True),
        (1, 0, 0, False),
    ],
)
def test_a_cursor_is_followed_only_when_all_that_comes_after_it_is_kept(
    after: int, first_kept: int, last: int, follows: bool
) -> None:
    assert can_follow(after, first_kept, last) is follows
