"""Records that refer to others: with integrity, by either id, and with what a deletion does."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import event, text

from chat.waiting import until_it_waits
from whence.kernel.errors import Invalid, Misconfigured, NotFound
from whence.kernel.ids import new_id
from whence.records import references, store
from whence.records.deletion import StillReferredTo
from whence.records.kind import Relation
from whence.records.kinds import by_name
from whence.records.upsert import Upserted, upsert

pytestmark = pytest.mark.anyio


async def _note(platform: Any, title: str, external_id: str | None = None) -> UUID:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        record = kind.record(title=title)
        return (await store.create(session, platform.owner, kind, record, external_id)).id


async def _remark(platform: Any, who: Any = None, **fields: Any) -> UUID:
    kind, who = platform.kind("remarks"), who or platform.owner
    async with platform.unit(who) as session:
        return (await store.create(session, who, kind, kind.record(**fields))).id


async def _delete(platform: Any, kind: str, subject_id: UUID) -> None:
    async with platform.unit(platform.owner) as session:
        await platform.deletion.delete(session, platform.owner, platform.kind(kind), subject_id)


async def test_a_reference_takes_our_id_or_the_imported_one_and_is_stored_as_ours(
    platform: Any,
) -> None:
    note = await _note(platform, "One", "n-1")
    for reference in ("n-1", str(note), note):
        remark = await _remark(platform, text="a", note_id=reference)
        async with platform.unit(platform.owner) as session:
            row: Any = await store.get(session, platform.kind("remarks"), remark)
            assert row.note_id == note
            [shown] = await references.shown(session, platform.kind("remarks"), [row])
        assert shown["noteId"] == str(note)
        assert shown["note"] == {"id": str(note), "externalId": "n-1", "title": "One"}
        assert shown["quoted"] is None


async def test_a_reference_to_no_record_is_refused_with_its_field(platform: Any) -> None:
    note = await _note(platform, "One")
    await _delete(platform, "notes", note)
    for reference in ("none", str(new_id()), str(note)):
        with pytest.raises(Invalid, match=f"There is no note '{reference}'") as refused:
            await _remark(platform, text="a", note_id=reference)
        assert refused.value.context["errors"][0]["field"] == "noteId"


async def test_a_record_of_another_organization_cannot_be_referred_to(
    platform: Any, new_principal: Any
) -> None:
    note = await _note(platform, "One", "n-1")
    for reference in ("n-1", str(note)):
        with pytest.raises(Invalid, match="There is no note"):
            await _remark(platform, new_principal(), text="a", note_id=reference)


async def test_a_change_and_an_import_resolve_references_too(platform: Any) -> None:
    kind, first = platform.kind("remarks"), await _note(platform, "One", "n-1")
    second = await _note(platform, "Two", "n-2")
    remark = await _remark(platform, text="a", note_id=first)
    async with platform.unit(platform.owner) as session:
        row: Any = await store.patch(session, platform.owner, kind, remark, {"note_id": "n-1"}, 1)
        assert row.version == 1
        row = await store.patch(session, platform.owner, kind, remark, {"note_id": "n-2"}, 1)
        assert UUID(str(row.note_id)) == second
        with pytest.raises(Invalid, match="'n-3'"):
            await store.patch(session, platform.owner, kind, remark, {"note_id": "n-3"}, None)
    for expected in (Upserted.ADDED, Upserted.UNCHANGED):
        async with platform.unit(platform.owner) as session:
            record = kind.record(text="b", note_id="n-2")
            outcome, _ = await upsert(session, platform.owner, kind, "r-1", record)
            assert outcome is expected


async def test_a_page_of_references_costs_one_query_for_each_relation(platform: Any) -> None:
    kind, note = platform.kind("remarks"), await _note(platform, "One")
    rows: list[Any] = []
    for _ in range(5):
        remark = await _remark(platform, text="a", note_id=note, quoted_id=note)
        async with platform.unit(platform.owner) as session:
            rows.append(await store.get(session, kind, remark))
    questions: list[str] = []
    async with platform.unit(platform.owner) as session:
        engine = (await session.connection()).sync_engine

        def count(*arguments: Any) -> None:
            questions.append(arguments[2])

        event.listen(engine, "before_cursor_execute", count)
        shown = await references.shown(session, kind, rows)
        event.remove(engine, "before_cursor_execute", count)
    assert [row["note"]["title"] for row in shown] == ["One"] * 5
    assert len(questions) == 2


async def test_what_others_refer_to_is_not_deleted_and_the_refusal_counts_them(
    platform: Any,
) -> None:
    first, second = await _note(platform, "One"), await _note(platform, "Two")
    remarks = [await _remark(platform, text="a", note_id=second, quoted_id=first) for _ in "ab"]
    with pytest.raises(StillReferredTo, match="2 remarks refer to it or") as refused:
        await _delete(platform, "notes", first)
    assert refused.value.context["referring"] == {"remarks": 2}
    await _delete(platform, "remarks", remarks[0])
    one = (
        "1 remark refers to it or to what would be deleted along with it. Delete that remark first"
    )
    with pytest.raises(StillReferredTo, match=one):
        await _delete(platform, "notes", first)
    await _delete(platform, "remarks", remarks[1])
    await _delete(platform, "notes", first)


async def test_what_goes_along_is_deleted_with_its_wizards_and_a_line_for_each(
    platform: Any,
) -> None:
    note = await _note(platform, "One")
    remarks = {await _remark(platform, text="a", note_id=note, quoted_id=note) for _ in "ab"}
    await _delete(platform, "notes", note)
    async with platform.unit(platform.owner) as session:
        for remark in remarks:
            with pytest.raises(NotFound):
                await store.get(session, platform.kind("remarks"), remark)
        lines = await session.execute(
            text("SELECT kind, subject_id, detail FROM whence.audit_log WHERE action = 'delete'")
        )
        deleted = {(kind, key): detail for kind, key, detail in lines}
    along = {"alongWith": {"kind": "notes", "id": str(note)}}
    assert deleted == {("notes", note): {}} | {("remarks", key): along for key in remarks}


async def test_a_record_written_while_what_it_refers_to_is_deleted_does_not_lose_it(
    platform: Any, looker: psycopg.Connection[Any]
) -> None:
    note = await _note(platform, "One", "n-1")
    async with platform.unit(platform.owner) as session:
        kind = platform.kind("remarks")
        other = await _note(platform, "Two")
        record = kind.record(text="a", note_id=other, quoted_id=note)
        await store.create(session, platform.owner, kind, record)
        deletion = asyncio.create_task(_delete(platform, "notes", note))
        await until_it_waits(looker, deletion)
        assert not deletion.done()
    with pytest.raises(StillReferredTo):
        await deletion


async def test_a_relation_that_cannot_work_stops_the_program(platform: Any) -> None:
    notes, remarks = platform.kind("notes"), platform.kind("remarks")
    with pytest.raises(Misconfigured, match="which no pack brings"):
        by_name([remarks])
    for relations, words in (
        ((Relation("author", lambda: notes),), "needs a field"),
        ((replace(remarks.relations[1], nested=None), remarks.relations[0]), "Two relations"),
    ):
        with pytest.raises(Misconfigured, match=words):
            by_name([notes, replace(remarks, relations=relations)])
    for field, words in (("filters", "in filters"), ("sorts", "in sorts"), ("search", "in search")):
        with pytest.raises(Misconfigured, match=words):
            by_name([notes, replace(remarks, **{field: ("nothing",)})])
