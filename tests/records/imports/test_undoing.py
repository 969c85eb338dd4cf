"""An import is undone as a whole; what was changed since stays and is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from whence.records import store
from whence.records.imports import reports, undoing
from whence.records.imports.importer import ImportContext
from whence.records.imports.undoing import CannotUndo

pytestmark = pytest.mark.anyio


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


class Desk:
    """Imports notes into a platform, and undoes that."""

    def __init__(self, platform: Any, folder: Path) -> None:
        self.platform, self.owner = platform, platform.owner
        self.kind = platform.kind("notes")
        self.path = folder / "notes.csv"

    async def imports(self, *lines: str) -> Any:
        self.path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        context = ImportContext(self.owner, self.platform.db, self.platform.settings)
        importer = self.platform.importer("sample_pack.notes")
        return await importer.run(context, self.path)

    async def undo(self, report: Any) -> tuple[int, int, int]:
        undone = await self.platform.import_undo.undo(self.owner, report.id)
        return undone.undo_deleted, undone.undo_restored, undone.undo_kept

    async def notes(self) -> dict[str, tuple[str, str]]:
        async with self.platform.unit(self.owner) as session:
            rows = [
                await store.resolve(session, self.kind, key)
                for key in ("a", "b", "c")
                if await self._is_there(session, key)
            ]
            return {row.external_id: (row.title, row.text) for row in rows}

    async def _is_there(self, session: Any, key: str) -> bool:
        return await store._find(session, self.kind, key) is not None

    async def edit(self, key: str, **changes: str) -> None:
        async with self.platform.unit(self.owner) as session:
            row = await store.resolve(session, self.kind, key)
            await store.patch(session, self.owner, self.kind, row.id, changes, None)

    async def changes(self, report: Any) -> dict[str, reports.RecordChange]:
        async with self.platform.unit(self.owner) as session:
            rows = await reports.changes(session, report.id, most=100)
        return {row.external_id: row for row in rows}


@pytest.fixture
def desk(platform: Any, folder: Path) -> Desk:
    return Desk(platform, folder)


async def test_the_report_shows_every_changed_field_before_and_after(desk: Desk) -> None:
    await desk.imports("id,title,text", "a,One,first", "b,Two,second")
    report = await desk.imports("id,title,text", "a,One,other", "b,Two,second", "c,Three,third")
    changes = await desk.changes(report)
    assert {key: each.outcome for key, each in changes.items()} == {"a": "updated", "c": "added"}
    [field] = changes["a"].fields
    assert (field.field, field.before, field.after) == ("text", "first", "other")
    assert changes["c"].fields == []


async def test_an_undo_deletes_what_was_added_and_sets_back_what_was_changed(desk: Desk) -> None:
    await desk.imports("id,title,text", "a,One,first", "b,Two,second")
    before = await desk.notes()
    report = await desk.imports("id,title,text", "a,One,other", "b,Zwei,zweitens", "c,Three,third")
    assert await desk.undo(report) == (1, 2, 0)
    assert await desk.notes() == before
    assert await desk.undo(report) == (1, 2, 0), "again: nothing more happens"


async def test_what_somebody_edited_since_stays_and_is_named(desk: Desk) -> None:
    await desk.imports("id,title,text", "a,One,first")
    report = await desk.imports("id,title,text", "a,Eins,other", "b,Two,second", "c,Three,third")
    await desk.edit("a", text="by hand")
    await desk.edit("b", title="By hand")
    assert await desk.undo(report) == (1, 1, 1)
    assert await desk.notes() == {"a": ("One", "by hand"), "b": ("By hand", "second")}
    changes = await desk.changes(report)
    assert changes["a"].undone["fields"] == ["text"]
    assert (changes["b"].undone["result"], changes["b"].undone["reason"]) == (
        "kept",
        "It was changed after the import.",
    )


async def test_an_undo_goes_on_over_several_transactions(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undoing, "UNDO_ROWS", 1)
    report = await desk.imports("id,title,text", "a,One,1", "b,Two,2", "c,Three,3")
    assert await desk.undo(report) == (3, 0, 0)
    assert await desk.notes() == {}


async def test_an_import_whose_previous_values_are_gone_cannot_be_undone(desk: Desk) -> None:
    report = await desk.imports("id,title,text", "a,One,1")
    async with desk.platform.unit(desk.owner) as session:
        from sqlalchemy import text

        await session.execute(text("DELETE FROM whence.import_rows"))
    with pytest.raises(CannotUndo, match="WHENCE_IMPORT_DAYS"):
        await desk.undo(report)
    assert "a" in await desk.notes()


async def test_a_stopped_undo_is_undone_in_part_and_goes_on_with_what_is_left(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undoing, "UNDO_ROWS", 1)
    report = await desk.imports("id,title,text", "a,One,1", "b,Two,2", "c,Three,3")
    platform, owner = desk.platform, desk.owner
    async with platform.unit(owner) as session:
        waiting = await platform.import_undo.request(session, owner, report.id)
    assert (waiting.undo_status, waiting.undo_total) == ("waiting", 3)
    undo = platform.import_undo
    name = "sample_pack.notes"
    assert await undo._next_batch(owner, report.id, undo._undo_by(name), name)
    async with platform.unit(owner) as session:
        stopping = await platform.imports.cancel(session, owner, report.id)
    assert (stopping.undo_status, stopping.undo_deleted) == ("running", 1)
    await undo.attempt(str(owner.org_id), str(report.id))
    async with platform.unit(owner) as session:
        stopped = await reports.get_import(session, report.id)
    assert (stopped.undo_status, stopped.undo_deleted, stopped.undone_at) == ("stopped", 1, None)
    assert set(await desk.notes()) == {"b", "c"}
    assert await desk.undo(report) == (3, 0, 0), "what was undone before counts too"
    assert await desk.notes() == {}
