"""Which items are researched follows their state, and their state follows the research."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from whence.kernel.errors import Settled
from whence.packs.resale.flows import searching
from whence.records import store
from whence.research import runs

pytestmark = pytest.mark.anyio

LAMP = "Corvane Lumen L3 desk lamp"


async def requested(desk: Any, item: Any, **options: bool) -> Any:
    platform = desk.platform
    async with platform.unit(platform.owner) as session:
        return await platform.ask(
            session, platform.owner, platform.kind("items"), item, options=options
        )


async def state(desk: Any, item: Any) -> str:
    return (await desk.shown(str(item)))["aiReviewState"]


@pytest.mark.parametrize("status", ["sold", "archived"])
async def test_a_sold_or_archived_item_is_researched_only_on_purpose(
    desk: Any, status: str
) -> None:
    item = await desk.item(title=LAMP, lifecycle_status=status)
    with pytest.raises(Settled, match=f"it is {status}"):
        await requested(desk, item)
    assert await state(desk, item) == "none"
    assert (await requested(desk, item, anyway=True)).created


async def test_the_review_state_says_that_research_is_on_and_is_done(
    desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    going, go_on = asyncio.Event(), asyncio.Event()
    search = searching.search

    async def waits(*arguments: Any) -> Any:
        going.set()
        await go_on.wait()
        return await search(*arguments)

    monkeypatch.setattr("whence.packs.resale.flows.nodes.search_comps.search", waits)
    item = await desk.item(title=LAMP)
    version = (await desk.shown(str(item)))["version"]
    submitted = await requested(desk, item)
    assert await state(desk, item) == "researching"
    await asyncio.wait_for(going.wait(), 60)
    assert await state(desk, item) == "researching"
    go_on.set()
    await desk.end_of(submitted.id)
    assert await state(desk, item) == "needs_review"
    assert (await desk.shown(str(item)))["version"] == version, "it is no edit of the item"


async def test_after_a_cancelled_run_the_item_has_the_state_from_before(
    desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    going = asyncio.Event()

    async def waits(*arguments: Any) -> Any:
        going.set()
        await asyncio.Event().wait()

    monkeypatch.setattr("whence.packs.resale.flows.nodes.search_comps.search", waits)
    item = await desk.item(title=LAMP)
    platform, kind = desk.platform, desk.platform.kind("items")
    async with platform.unit(platform.owner) as session:
        await store.patch(
            session, platform.owner, kind, item, {"ai_review_state": "reviewed"}, None
        )
    submitted = await requested(desk, item)
    await asyncio.wait_for(going.wait(), 60)
    async with platform.unit(platform.owner) as session:
        await runs.cancel(session, platform.owner, submitted.id)
    await desk.end_of(submitted.id)
    assert await state(desk, item) == "reviewed"


async def test_after_a_failed_run_too_and_researching_again_once_it_is_resumed(
    desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*arguments: Any) -> Any:
        raise Settled("made to fail")

    node = "whence.packs.resale.flows.nodes.search_comps.search"
    with monkeypatch.context() as patched:
        patched.setattr(node, fails)
        item = await desk.item(title=LAMP)
        submitted = await requested(desk, item)
        ended = await desk.end_of(submitted.id)
    assert ended["status"] == "error"
    assert await state(desk, item) == "none"
    platform = desk.platform
    async with platform.unit(platform.owner) as session:
        await runs.resume(session, platform.queue, platform.owner, submitted.id)
        assert (await store.get(session, platform.kind("items"), item)).ai_review_state == (
            "researching"
        )


async def test_new_items_are_researched_by_themselves_only_where_that_is_switched_on(
    desk: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "items.csv"
    file.write_text(f"id,title,status\nA-1,{LAMP},ready\n")
    await desk.imported("items", file)
    assert (await desk.shown("A-1"))["aiReviewState"] == "none"
    monkeypatch.setenv("WHENCE_RESALE_RESEARCH_NEW", "true")
    file.write_text(f"id,title,status\nA-1,{LAMP},ready\nA-2,{LAMP},ready\nA-3,{LAMP},sold\n")
    await desk.imported("items", file)
    async with desk.platform.unit(desk.platform.owner) as session:
        query = text("""
            SELECT i.external_id, r.run_type, r.id FROM whence.runs r
            JOIN resale.items i ON i.id = r.subject_id
        """)
        [(external_id, run_type, run_id)] = await session.execute(query)
    assert (external_id, run_type) == ("A-2", "initial_intake")
    await desk.end_of(run_id)
    assert (await desk.shown("A-2"))["aiReviewState"] == "needs_review"
