"""Writing one record by its import's id: added, changed where it differs, or left as it is."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from whence.records import store
from whence.records.upsert import NoExternalId, Upserted, upsert

pytestmark = pytest.mark.anyio


async def _upsert(
    platform: Any, external_id: str, keep: tuple[str, ...] = (), **fields: str
) -> Any:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        record = kind.record(**fields)
        return await upsert(session, platform.owner, kind, external_id, record, keep=keep)


async def _audit(platform: Any) -> list[Any]:
    async with platform.unit(platform.owner) as session:
        lines = await session.execute(
            text("SELECT action, subject_id, detail FROM whence.audit_log ORDER BY at")
        )
        return [tuple(line) for line in lines]


async def test_a_new_id_adds_a_record_and_the_same_again_leaves_it(platform: Any) -> None:
    added, record_id = await _upsert(platform, "n-1", title="One", text="a")
    again, same_id = await _upsert(platform, "n-1", title="One", text="a")
    assert (added, again) == (Upserted.ADDED, Upserted.UNCHANGED)
    assert same_id == record_id
    assert await _audit(platform) == [("import", record_id, {"title": "One", "text": "a"})]


async def test_only_the_fields_that_differ_are_changed_and_audited(platform: Any) -> None:
    _, record_id = await _upsert(platform, "n-1", title="One", text="a")
    outcome, _ = await _upsert(platform, "n-1", title="One", text="b")
    assert outcome is Upserted.UPDATED
    change = {"before": {"text": "a"}, "after": {"text": "b"}}
    assert (await _audit(platform))[-1] == ("import", record_id, change)
    async with platform.unit(platform.owner) as session:
        assert (await store.get(session, platform.kind("notes"), record_id)).version == 2


async def test_a_field_to_keep_is_written_once_and_then_left(platform: Any) -> None:
    await _upsert(platform, "n-1", ("text",), title="One", text="a")
    outcome, record_id = await _upsert(platform, "n-1", ("text",), title="Two", text="b")
    assert outcome is Upserted.UPDATED
    async with platform.unit(platform.owner) as session:
        row: Any = await store.get(session, platform.kind("notes"), record_id)
    assert (row.title, row.text) == ("Two", "a")


async def test_a_deleted_record_is_added_anew(platform: Any) -> None:
    _, first = await _upsert(platform, "n-1", title="One")
    async with platform.unit(platform.owner) as session:
        await platform.deletion.delete(session, platform.owner, platform.kind("notes"), first)
    outcome, second = await _upsert(platform, "n-1", title="One")
    assert outcome is Upserted.ADDED
    assert second != first


async def test_an_import_names_the_record_that_it_writes(platform: Any) -> None:
    with pytest.raises(NoExternalId):
        await _upsert(platform, "", title="One")
