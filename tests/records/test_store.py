"""Subjects of any kind: written, found, changed and taken away, with a record of who did it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from chat.waiting import until_it_waits
from whence.app import discovery
from whence.kernel.errors import Conflict, Invalid, NotFound
from whence.kernel.ids import new_id
from whence.records import listing, store

pytestmark = pytest.mark.anyio


async def _create(platform: Any, title: str, external_id: str | None = None, body: str = "") -> Any:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        record = kind.record(title=title, text=body)
        return await store.create(session, platform.owner, kind, record, external_id)


async def _listed(session: Any, kind: Any) -> list[Any]:
    return (await listing.page(session, kind, listing.list_query(kind)())).rows


async def _audit(platform: Any) -> list[Any]:
    async with platform.unit(platform.owner) as session:
        rows = await session.execute(
            text("SELECT action, subject_id, user_id, detail FROM whence.audit_log ORDER BY at")
        )
        return [tuple(row) for row in rows]


async def test_a_record_is_written_with_its_author(platform: Any) -> None:
    row = await _create(platform, "One", body="text")
    assert row.version == 1
    [(action, subject, user, detail)] = await _audit(platform)
    assert (action, subject, user) == ("create", row.id, platform.owner.user_id)
    assert detail == {"title": "One", "text": "text"}


async def test_a_record_is_found_by_our_id_and_by_the_imported_one(platform: Any) -> None:
    kind, row = platform.kind("notes"), await _create(platform, "One", "n-1")
    odd = str(new_id())
    other = await _create(platform, "Two", odd)  # an imported id that looks like one of ours
    async with platform.unit(platform.owner) as session:
        assert (await store.resolve(session, kind, "n-1")).id == row.id
        assert (await store.resolve(session, kind, str(row.id))).id == row.id
        assert (await store.resolve(session, kind, odd)).id == other.id
        with pytest.raises(NotFound, match="'n-2'"):
            await store.resolve(session, kind, "n-2")


async def test_an_imported_id_is_taken_once(platform: Any) -> None:
    await _create(platform, "One", "n-1")
    with pytest.raises(Conflict, match="'n-1'"):
        await _create(platform, "Two", "n-1")


async def test_a_change_raises_the_version_and_keeps_what_was_before(platform: Any) -> None:
    kind, row = platform.kind("notes"), await _create(platform, "One")
    async with platform.unit(platform.owner) as session:
        changed = await store.patch(session, platform.owner, kind, row.id, {"title": "Two"}, 1)
        assert (changed.title, changed.version) == ("Two", 2)
    assert (await _audit(platform))[-1][3] == {
        "before": {"title": "One"},
        "after": {"title": "Two"},
    }


async def test_a_change_of_nothing_is_no_change(platform: Any) -> None:
    kind, row = platform.kind("notes"), await _create(platform, "One")
    async with platform.unit(platform.owner) as session:
        same = await store.patch(session, platform.owner, kind, row.id, {"title": "One"}, None)
        assert same.version == 1
    assert len(await _audit(platform)) == 1


async def test_a_change_of_an_older_version_is_refused(platform: Any) -> None:
    kind, row = platform.kind("notes"), await _create(platform, "One")
    async with platform.unit(platform.owner) as session:
        with pytest.raises(Conflict, match="at version 1, not 7"):
            await store.patch(session, platform.owner, kind, row.id, {"title": "Two"}, 7)


async def test_of_two_changes_at_once_one_is_refused(platform: Any) -> None:
    kind, row = platform.kind("notes"), await _create(platform, "One")

    async def change(title: str) -> None:
        async with platform.unit(platform.owner) as session:
            await store.patch(session, platform.owner, kind, row.id, {"title": title}, 1)
            await asyncio.sleep(0.05)

    results = await asyncio.gather(change("A"), change("B"), return_exceptions=True)
    assert sorted(type(item).__name__ for item in results) == ["Conflict", "NoneType"]


async def test_what_is_taken_away_meanwhile_is_neither_changed_nor_taken_away_again(
    platform: Any, looker: psycopg.Connection[Any]
) -> None:
    kind, row = platform.kind("notes"), await _create(platform, "One")

    async def change() -> None:
        async with platform.unit(platform.owner) as session:
            await store.patch(session, platform.owner, kind, row.id, {"title": "Two"}, None)

    async def delete() -> None:
        async with platform.unit(platform.owner) as session:
            await platform.deletion.delete(session, platform.owner, kind, row.id)

    async with platform.unit(platform.owner) as session:
        await platform.deletion.delete(session, platform.owner, kind, row.id)
        await session.flush()
        others = [asyncio.create_task(act()) for act in (change, delete)]
        await until_it_waits(looker, *others)
        assert not any(task.done() for task in others)
    results = await asyncio.gather(*others, return_exceptions=True)
    assert [type(result) for result in results] == [NotFound, NotFound]
    assert [action for action, *_ in await _audit(platform)] == ["create", "delete"]


async def test_a_change_to_something_invalid_names_the_field(platform: Any) -> None:
    kind, row = platform.kind("notes"), await _create(platform, "One")
    async with platform.unit(platform.owner) as session:
        with pytest.raises(Invalid, match="title"):
            await store.patch(session, platform.owner, kind, row.id, {"title": ""}, None)


async def test_a_record_that_was_taken_away_is_not_found_any_more(platform: Any) -> None:
    kind, row = platform.kind("notes"), await _create(platform, "One", "n-1")
    async with platform.unit(platform.owner) as session:
        await platform.deletion.delete(session, platform.owner, kind, row.id)
    async with platform.unit(platform.owner) as session:
        with pytest.raises(NotFound):
            await store.get(session, kind, row.id)
        assert await _listed(session, kind) == []
    assert (await _create(platform, "Again", "n-1")).external_id == "n-1"


async def test_records_of_another_organization_are_out_of_reach(
    platform: Any, new_principal: Any
) -> None:
    kind, row, stranger = (
        platform.kind("notes"),
        await _create(platform, "One", "n"),
        new_principal(),
    )
    async with platform.unit(stranger) as session:
        assert await _listed(session, kind) == []
        for reference in (str(row.id), "n"):
            with pytest.raises(NotFound):
                await store.resolve(session, kind, reference)
        with pytest.raises(NotFound):
            await store.patch(session, stranger, kind, row.id, {"title": "Mine"}, None)


PACKS = Path(__file__).parents[1] / "fixtures"


@pytest.fixture(scope="module")
def note_kind() -> Any:
    kind, _ = next(
        pack for pack in discovery.discover([PACKS]) if pack.id == "sample_pack"
    ).subjects
    return kind


TITLES = st.text(min_size=1, max_size=40).filter(str.strip)


@given(title=TITLES, body=st.text())
def test_a_record_goes_through_its_columns_unchanged(note_kind: Any, title: str, body: str) -> None:
    record = note_kind.record(title=title, text=body)
    row = note_kind.row(id=new_id(), **note_kind.columns(record))
    assert note_kind.parse(row) == record
