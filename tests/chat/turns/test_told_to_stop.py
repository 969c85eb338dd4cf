"""An answer that is told to stop ends as stopped, whenever it is told, and whatever it is doing."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from chat.slow_model import SlowModel
from chat.turns.conftest import Desk
from whence.chat.transcript.messages import StartedTurn
from whence.chat.turns import turn_task
from whence.chat.turns.runner import Turns

pytestmark = pytest.mark.anyio
SECONDS = 20


async def ended(desk: Desk, begun: StartedTurn) -> str:
    async with asyncio.timeout(SECONDS):
        await desk.platform.turns.wait_for_turn(begun.turn_id)
    return (await desk.answer(begun)).status


class Deaf:
    """A flow that loses so many words to stop."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, losing: int) -> None:
        self.lost = 0

        async def flowing(turns: Turns, turn: Any) -> None:
            while True:
                try:
                    await asyncio.sleep(3600)
                except asyncio.CancelledError:
                    self.lost += 1
                    if self.lost > losing:
                        raise

        monkeypatch.setattr(Turns, "_run_flow", flowing)
        monkeypatch.setattr(turn_task, "CANCEL_RETRY_SECONDS", 0.05)


async def test_before_it_has_taken_a_step(slow: Desk) -> None:
    begun = await slow.send("How long is it?")
    slow.platform.turns._on_stop_request(str(begun.turn_id))
    assert await ended(slow, begun) == "stopped"


async def test_before_its_process_has_begun_it(slow: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = Turns._start_turn

    def told_early(turns: Turns, who: Any, about: Any, begun: StartedTurn, *rest: Any) -> None:
        turns._on_stop_request(str(begun.turn_id))
        begin(turns, who, about, begun, *rest)

    monkeypatch.setattr(Turns, "_start_turn", told_early)
    assert await ended(slow, await slow.send("How long is it?")) == "stopped"


async def test_by_its_own_process_though_no_notification_comes(slow: Desk) -> None:
    begun = await slow.send("How long is it?")
    slow.platform.bus._on_cancel.clear()
    await slow.platform.turns.stop(slow.who, slow.session_id)
    assert await ended(slow, begun) == "stopped"


async def test_again_where_the_first_word_was_lost(
    slow: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaf = Deaf(monkeypatch, losing=2)
    begun = await slow.send("How long is it?")
    await slow.until(lambda events: events)
    await slow.platform.turns.stop(slow.who, slow.session_id)
    assert (await ended(slow, begun), deaf.lost) == ("stopped", 3)


async def test_and_ends_without_a_flow_that_never_gives_way(
    slow: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaf = Deaf(monkeypatch, losing=turn_task.CANCEL_ATTEMPTS)
    begun = await slow.send("How long is it?")
    await slow.until(lambda events: events)
    await slow.platform.turns.stop(slow.who, slow.session_id)
    assert await ended(slow, begun) == "stopped"
    assert deaf.lost >= turn_task.CANCEL_ATTEMPTS


async def test_and_a_process_that_stops_meanwhile_does_not_cut_the_end_off(
    slow: Desk, model: SlowModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = await slow.send("How long is it?")
    model.say("It is ", "not long ")
    await slow.until(lambda events: any(each.type == "token" for each in events))
    ending = asyncio.Event()
    end = turn_task.end

    async def keeping(turn: Any, status: Any) -> None:
        ending.set()
        await end(turn, status)

    monkeypatch.setattr(turn_task, "end", keeping)
    await slow.platform.turns.stop(slow.who, slow.session_id)
    await ending.wait()
    await slow.platform.turns.close()
    assert await ended(slow, begun) == "stopped"
