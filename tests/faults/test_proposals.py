"""kill -9 while a proposal is applied or taken back: all of it is there, or nothing of it."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from chat.proposal_desk import Desk
from chat.waiting import until_it_waits
from faults.sampling import rest_long
from whence.app.platform import Platform
from whence.tenancy import tokens

pytestmark = pytest.mark.anyio
BEFORE_IT_IS_COMMITTED = (
    "before proposal_locked",
    "after proposal_locked",
    "before record_write",
    "after record_write",
    "after proposal_written",
    "before conversation_notified",
    "after {act}",
)


@pytest.fixture
def desk(platform: Platform) -> Desk:
    return Desk(platform)


async def _click(desk: Desk, url: str, proposal: UUID, act: str) -> httpx.Response:
    secret = await tokens.issue(desk.platform.db, desk.owner, "clicks")
    async with httpx.AsyncClient(base_url=url, timeout=30) as client:
        return await client.post(
            f"/api/proposals/{proposal}/{act}", headers={"Authorization": f"Bearer {secret}"}
        )


@pytest.mark.parametrize("act", ["apply", "undo"])
@pytest.mark.parametrize(
    "point", rest_long(BEFORE_IT_IS_COMMITTED, "after record_write", "after {act}")
)
async def test_a_server_killed_before_the_commit_leaves_nothing_and_the_next_click_works(
    desk: Desk, start: Any, point: str, act: str
) -> None:
    note = await desk.note("One", "words")
    made = await desk.propose(note, text="new")
    if act == "undo":
        await desk.apply(made)
    before, row = await desk.values(note), await desk.proposal(made)
    lines = await desk.audit(note)

    doomed = start(point.format(act=f"{act}_proposal"), flow="api")
    with pytest.raises(httpx.HTTPError):
        await _click(desk, await doomed.ready(), made.id, act)
    await doomed.gone()

    assert await desk.values(note) == before
    assert (await desk.proposal(made)).status == row.status
    assert await desk.audit(note) == lines
    decided = await (desk.apply(made) if act == "apply" else desk.undo(made))
    assert decided.version == before["version"] + 1
    assert (await desk.values(note))["version"] == decided.version


async def test_a_click_that_waits_for_a_killed_one_goes_on(
    desk: Desk, start: Any, looker: psycopg.Connection[Any]
) -> None:
    note = await desk.note("One", "words")
    made = await desk.propose(note, text="new")
    held = start("after record_write", flow="api", signal="STOP")
    first = asyncio.create_task(_click(desk, await held.ready(), made.id, "apply"))
    await held.stopped()
    second = asyncio.create_task(desk.apply(made))
    await until_it_waits(looker, second)
    assert not second.done(), "it waits for the row"
    await held.end()
    assert (await second).version == 2
    with pytest.raises(httpx.HTTPError):
        await first
    assert len(await desk.audit(note, "apply_proposal")) == 1


async def test_a_server_killed_after_the_commit_has_done_it_once(desk: Desk, start: Any) -> None:
    note = await desk.note("One", "words")
    made = await desk.propose(note, text="new")
    doomed = start(flow="api")
    first = await _click(desk, await doomed.ready(), made.id, "apply")
    await doomed.end()
    again = await _click(desk, await start(flow="api").ready(), made.id, "apply")
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json() == again.json()
    assert len(await desk.audit(note, "apply_proposal")) == 1
