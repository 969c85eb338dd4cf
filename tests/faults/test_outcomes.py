"""The outcome of research is told in its conversation once, by whichever process is alive."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from chat.turns.conftest import Desk, desk
from faults.conftest import Bench, Worker
from faults.sampling import rest_long
from whence.chat.transcript.views import MessageAnswer

__all__ = ["desk"]
pytestmark = pytest.mark.anyio

Start = Callable[..., Worker]
_FOLLOWED = "SELECT count(*) FROM whence.chat_followings WHERE done_at IS NULL"


async def notices(bench: Bench, desk: Desk) -> list[MessageAnswer]:
    """The notices of the conversation, once nothing is left to tell."""
    async with asyncio.timeout(60):
        while bench.rows.one(_FOLLOWED):
            await asyncio.sleep(0.05)
    return [each for each in await desk.messages() if each.role == "notice"]


async def is_told_once(bench: Bench, desk: Desk) -> None:
    [notice] = await notices(bench, desk)
    assert notice.content.startswith("The research is done.")
    events = [each.payload for each in await desk.events() if each.type == "message"]
    assert [each["id"] for each in events].count(str(notice.id)) == 1
    progress = [e.payload["message"] for e in await desk.events() if e.type == "research_progress"]
    assert progress.count("Research has started.") == 1


async def test_a_worker_tells_it_though_nothing_else_is_alive(
    bench: Bench, desk: Desk, start: Start
) -> None:
    await desk.say("please research it again")
    start(flow="shipped")
    await is_told_once(bench, desk)


@pytest.mark.parametrize("next_one", rest_long(["api", "shipped"], "shipped"))
@pytest.mark.parametrize("point", ["before notice", "after notice"])
async def test_where_the_one_that_tells_it_is_killed_the_next_process_does(
    bench: Bench, desk: Desk, start: Start, point: str, next_one: str
) -> None:
    await desk.say("please research it again")
    doomed = start(point, flow="shipped")
    await doomed.struck()
    await doomed.gone()
    assert bench.rows.one("SELECT count(*) FROM whence.work WHERE status = 'success'") == 1
    assert [each.role for each in await desk.messages()] == ["user", "assistant"]
    await start(flow=next_one).ready()
    await is_told_once(bench, desk)


async def test_many_that_are_alive_tell_it_once(bench: Bench, desk: Desk, start: Start) -> None:
    others: list[Any] = [start(flow="api"), start(flow="api"), start(flow="shipped")]
    for each in others:
        await each.ready()
    desk.platform.turns.start()
    await desk.say("please research it again")
    await is_told_once(bench, desk)
