"""Erased is erased: no table holds a word of a record any more, and a tombstone says so."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from chat.waiting import until_it_waits
from erasure.traces import (
    MARKER,
    ended,
    note,
    photographed_item,
    researched,
    tables_with,
    talked,
    texts_of,
)
from whence.chat.proposals import service as proposals
from whence.chat.transcript import sessions as chats
from whence.evidence import store as evidence
from whence.evidence.records import Finding, Judgement
from whence.kernel.errors import NotFound, Unavailable
from whence.records import store
from whence.records.deletion import StillReferredTo
from whence.records.imports import reports
from whence.records.imports.importer import ImportContext
from whence.records.imports.running import import_file

pytestmark = pytest.mark.anyio
EXTERNAL = f"{MARKER}-1"
ROWS = f"""id,title,text
{EXTERNAL},{MARKER} one,the {MARKER} of a note
{EXTERNAL},{MARKER} two,another of that id
other,,a note without a title says {EXTERNAL}
"""
REMAINS = {"whence.erasures", "whence.audit_log", "jobs.procrastinate_jobs"}
"""Where the id of an erased record still stands (ADR 0036)."""


async def full_note(platform: Any, tmp_path: Path) -> UUID:
    """A note with a trace in every table that can hold one."""
    kind, who = platform.kind("notes"), platform.owner
    file = tmp_path / f"{MARKER}.csv"
    file.write_text(ROWS, encoding="utf-8")
    importer = platform.importer("sample_pack.notes")
    context = ImportContext(who, platform.db, platform.settings)
    report = await import_file(context, importer, file, filename="notes.csv")
    assert (report.added, report.refused_count) == (1, 2)
    async with platform.unit(who) as session:
        record = (await store.resolve(session, kind, EXTERNAL)).id
    run = await researched(platform, record)
    await researched(platform, record, "depth")
    recount = platform.jobs.get("sample_pack.recount").job
    async with platform.unit(who) as session:
        request = recount.payload(title=f"{MARKER} one")
        job = await platform.jobs.enqueue(session, who, recount, request, key=EXTERNAL)
    await ended(platform, job.id)
    await add_remark(platform, record, f"a {MARKER} remark")
    own = Finding("web", "a", "A page", f"words of {MARKER}", {})
    async with platform.unit(who) as session:
        [key] = await evidence.keep(session, [own])
        await evidence.judge(session, run, [Judgement(key, "x", True, "seen")])
        chat = await chats.open_session(session, who, "notes", record)
        chat.title = f"about {MARKER}"
        await proposals.propose(
            session, who, kind, record, {"text": f"other {MARKER}"}, reason=f"a {MARKER} reason"
        )
        await store.patch(session, who, kind, record, {"title": f"{MARKER} two"}, None)
    await talked(platform, who, f"How is the {MARKER}?", f"The {MARKER} is well [1].", [key])
    return record


async def add_remark(platform: Any, record: UUID, words: str, **more: Any) -> UUID:
    kind, who = platform.kind("remarks"), platform.owner
    async with platform.unit(who) as session:
        remark = kind.record(text=words, note_id=str(record), **more)
        return (await store.create(session, who, kind, remark)).id


async def erase(platform: Any, record: UUID, reason: str = "asked for", **more: Any) -> Any:
    return await platform.eraser.erase(platform.owner, "notes", str(record), reason, **more)


async def test_a_record_is_erased_from_every_table(
    platform: Any, worker: object, database_url: str, tmp_path: Path
) -> None:
    record = await full_note(platform, tmp_path)
    before = tables_with(database_url)
    assert set(before) >= {
        "sample_pack.notes",
        "sample_pack.remarks",
        "sample_pack.word_counts",
        "whence.audit_log",
        "whence.chat_messages",
        "whence.chat_sessions",
        "whence.events",
        "whence.evidence",
        "whence.import_problems",
        "whence.import_rows",
        "whence.proposals",
        "whence.search_documents",
        "whence.search_postings",
        "whence.tool_calls",
        "whence.work",
    }
    preview = await erase(platform, record, preview=True)
    assert tables_with(database_url) == before
    erasure = await erase(platform, record, "asked by its owner")
    assert erasure.removed == preview.removed
    for table, rows in {
        "sample_pack.notes": 1,
        "sample_pack.remarks": 1,
        "sample_pack.word_counts": 1,
        "whence.runs": 2,
        "whence.sections": 1,
        "whence.import_problems": 1,
    }.items():
        assert erasure.removed[table] == rows, table
    assert tables_with(database_url) == []
    assert set(tables_with(database_url, str(record))) <= REMAINS


async def test_erasing_again_answers_what_remains_of_the_first_time(
    platform: Any, database_url: str
) -> None:
    record = await note(platform, "A", "b", "ext-0001")
    first = await erase(platform, record)
    again = await erase(platform, record, "another reason")
    assert (again.id, again.reason, again.removed) == (first.id, "asked for", first.removed)
    with psycopg.connect(database_url) as admin:
        lines = admin.execute(
            "SELECT detail FROM whence.audit_log WHERE action = 'erase' AND subject_id = %s",
            (record,),
        ).fetchall()
    assert lines == [({"erased": str(first.id)},)]
    with pytest.raises(NotFound):  # by the name that was erased
        await platform.eraser.erase(platform.owner, "notes", "ext-0001", "again")


async def test_an_erasure_that_is_cut_off_has_erased_nothing(
    platform: Any, database_url: str
) -> None:
    record = await note(platform, MARKER, MARKER)
    before = tables_with(database_url)
    with psycopg.connect(database_url, autocommit=True) as watcher:
        with psycopg.connect(database_url) as blocker:
            # Only lines of the audit log are missing yet when it waits.
            blocker.execute("LOCK TABLE whence.audit_log IN SHARE MODE")
            task = asyncio.create_task(erase(platform, record))
            await until_it_waits(watcher, task)
            watcher.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE wait_event_type = 'Lock' AND datname = current_database()"
            )
            with pytest.raises(Unavailable):
                await task
        assert tables_with(database_url) == before
        assert watcher.execute("SELECT count(*) FROM whence.erasures").fetchone() == (0,)
    await erase(platform, record)
    assert tables_with(database_url) == []


async def test_evidence_that_other_research_uses_stays_and_is_counted(
    platform: Any, worker: object
) -> None:
    shared = Finding("web", "b", "A page", "words of both", {})
    records = [await note(platform, title, "b") for title in ("One", "Other")]
    for record in records:
        run = await researched(platform, record)
        async with platform.unit(platform.owner) as session:
            [key] = await evidence.keep(session, [shared])
            await evidence.judge(session, run, [Judgement(key, "x", True, "seen")])
    erasure = await erase(platform, records[0])
    assert erasure.kept == {"whence.evidence": 1}
    async with platform.unit(platform.owner) as session:
        assert await evidence.keep(session, [shared]) == [key]


async def test_a_conversation_keeps_what_is_of_other_records(
    platform: Any, worker: object, database_url: str
) -> None:
    record = await note(platform, "A note", f"{MARKER} words", "LOT-4711")
    run = await researched(platform, record)
    async with platform.unit(platform.owner) as session:
        [item] = await evidence.bundle(session, run)
    other = await talked(platform, platform.owner, "How much is LOT-4712?", "It is 5 euros.")
    named = await talked(platform, platform.owner, "How much is LOT-4711?", f"It is {MARKER}.")
    cited = await talked(platform, platform.owner, "And this?", "Well [1].", [item.evidence.id])
    await erase(platform, record)
    assert await texts_of(platform, other) == ["How much is LOT-4712?", "It is 5 euros."]
    for chat in (named, cited):
        assert await texts_of(platform, chat) == ["[erased]", "[erased]"]
    assert tables_with(database_url) == []


async def test_further_names_are_looked_for_in_conversations_and_reports(
    platform: Any, database_url: str
) -> None:
    record = await note(platform, "A note", "words")
    chat = await talked(platform, platform.owner, f"Where does Ms {MARKER} live?", "No idea.")
    await erase(platform, record, also_known_as=[MARKER])
    assert await texts_of(platform, chat) == ["[erased]", "[erased]"]
    assert tables_with(database_url) == []


async def test_lines_of_a_report_stay_countable(platform: Any, tmp_path: Path) -> None:
    file = tmp_path / "notes.csv"
    file.write_text(ROWS, encoding="utf-8")
    context = ImportContext(platform.owner, platform.db, platform.settings)
    report = await import_file(context, platform.importer("sample_pack.notes"), file)
    async with platform.unit(platform.owner) as session:
        record = (await store.resolve(session, platform.kind("notes"), EXTERNAL)).id
    await erase(platform, record, also_known_as=[MARKER])
    async with platform.unit(platform.owner) as session:
        refused = await reports.problems(session, report.id, refused=True, most=9)
    assert [each.line for each in refused] == [3, 4]
    assert [each.reason == "[erased]" for each in refused] == [True, False]


async def test_a_record_that_others_refer_to_is_not_erased_before_they_are_gone(
    platform: Any, database_url: str
) -> None:
    quoted = await note(platform, MARKER, "words")
    carrying = await note(platform, "Another", "words")
    remark = await add_remark(platform, carrying, "as that note says", quoted_id=str(quoted))
    with pytest.raises(StillReferredTo, match="1 remark refers to it"):
        await erase(platform, quoted)
    async with platform.unit(platform.owner) as session:
        kind = platform.kind("remarks")
        await platform.deletion.delete(session, platform.owner, kind, remark)
    erasure = await erase(platform, quoted)
    assert erasure.removed["sample_pack.remarks"] == 1
    assert tables_with(database_url) == []


async def test_files_go_unless_another_record_carries_them(
    platform: Any, database_url: str
) -> None:
    first, digest, content = await photographed_item(platform, f"{MARKER}.png")
    second, _, _ = await photographed_item(platform, f"{MARKER}.png")
    who = platform.owner
    await platform.eraser.erase(who, "items", str(first), "sold")
    async with platform.unit(who) as session:
        file = await platform.files.find(session, digest)
        assert await platform.files.read(session, file) == content
    erasure = await platform.eraser.erase(who, "items", str(second), "sold")
    assert erasure.removed["whence.files"] == 1
    assert tables_with(database_url) == tables_with(database_url, digest) == []
    assert "whence.file_chunks" not in tables_with(database_url, content[-12:].hex())


async def test_a_run_that_waits_goes_with_its_record_and_its_worker_goes_on(
    platform: Any, database_url: str
) -> None:
    from whence.app import build

    record, other = [await note(platform, title, "b") for title in ("One", "Other")]
    async with platform.unit(platform.owner) as session:
        await platform.ask(session, platform.owner, platform.kind("notes"), record)
    await erase(platform, record)
    async with build.worker(platform):
        await researched(platform, other)
    with psycopg.connect(database_url) as admin:
        assert admin.execute("SELECT count(*) FROM whence.work").fetchone() == (1,)


async def test_nothing_is_erased_without_a_tombstone(platform: Any) -> None:
    owner = platform.owner
    statement = "SELECT whence.erase_rows(%(id)s, 'whence.evidence', 'source', '{web}')"
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        await platform.db.together(owner.org_id, (statement, {"id": owner.user_id}))
