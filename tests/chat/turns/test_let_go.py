"""A turn that is ended from outside: let go though its model is silent, and it alone."""

from __future__ import annotations

import asyncio

import pytest

from chat.slow_model import SlowModel
from chat.turns.conftest import Desk, desk_of
from whence.chat.transcript import sessions
from whence.chat.transcript.messages import StartedTurn
from whence.chat.turns import runner as turns
from whence.events import log

pytestmark = pytest.mark.anyio
SECONDS = 20
"""Far below the minute after which the model itself is given up."""


async def ask_and_wait(slow: Desk, model: SlowModel) -> tuple[StartedTurn, asyncio.Task[None]]:
    """A turn that waits for its model's first word, and the task that runs it."""
    begun = await slow.send("How long is it?")
    async with asyncio.timeout(SECONDS):
        while not model.requests:
            await asyncio.sleep(0.01)
    [task] = [each for each in asyncio.all_tasks() if each.get_name() == f"turn-{begun.turn_id}"]
    return begun, task


async def delete(slow: Desk) -> None:
    async with slow.platform.unit(slow.who) as session:
        await sessions.delete(session, slow.who, slow.session_id)


async def test_at_its_next_renewal(
    slow: Desk, model: SlowModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "RENEW_SECONDS", 0.05)
    begun, _ = await ask_and_wait(slow, model)
    await delete(slow)
    async with asyncio.timeout(SECONDS):
        await slow.platform.turns.wait_for_turn(begun.turn_id)
    assert slow.platform.turns.running == 0


async def test_when_it_is_told_to_stop_and_it_writes_nothing(slow: Desk, model: SlowModel) -> None:
    begun, task = await ask_and_wait(slow, model)
    await delete(slow)
    values: dict[str, object] = {"turn": str(begun.turn_id)}
    await slow.platform.db.call("SELECT pg_notify('whence_cancels', %(turn)s)::text", values)
    await asyncio.wait({task}, timeout=SECONDS)
    assert task.done()
    assert (task.cancelled(), task.exception()) == (False, None)
    org = slow.who.org_id
    assert await log.read(slow.platform.db, org, slow.session_id, 0) == []


async def test_a_stop_ends_the_turn_that_is_meant_and_no_other(
    slow: Desk, model: SlowModel
) -> None:
    meant, _ = await ask_and_wait(slow, model)
    other = await desk_of(slow.platform, slow.who)
    begun, staying = await ask_and_wait(other, model)
    its_own = [each for each in asyncio.all_tasks() if str(begun.turn_id) in each.get_name()]
    await slow.platform.turns.stop(slow.who, slow.session_id)
    async with asyncio.timeout(SECONDS):
        await slow.platform.turns.wait_for_turn(meant.turn_id)
    assert {(each.done(), each.cancelling()) for each in its_own} == {(False, 0)}
    assert (await other.answer(begun)).status == "streaming"
    await other.platform.turns.stop(other.who, other.session_id)
    await asyncio.wait({staying}, timeout=SECONDS)
    assert staying.done()
