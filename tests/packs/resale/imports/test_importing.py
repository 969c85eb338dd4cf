"""Importing into the database: all or nothing, photographs kept once, nothing else read."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from PIL import Image
from sqlalchemy import event, text

from whence.kernel.errors import Invalid
from whence.packs.resale.imports import importing
from whence.packs.resale.imports.importing import ITEM_IMPORT, LISTING_IMPORT
from whence.packs.resale.items import ITEMS
from whence.packs.resale.uploads import MAX_PHOTO_BYTES, PhotographOnDisk, photograph_on_disk
from whence.records import store
from whence.sdk.imports import ImportContext

pytestmark = pytest.mark.anyio


@pytest.fixture
def context(platform: Any) -> ImportContext:
    return ImportContext(platform.owner, platform.db, platform.settings)


def photograph(path: Path, colour: str = "olive") -> bytes:
    Image.new("RGB", (40, 30), colour).save(path)
    return path.read_bytes()


async def files(context: ImportContext) -> list[tuple[str, str]]:
    async with context.db.unit(context.principal.org_id) as session:
        selected = await session.execute(text("SELECT digest, media_type FROM whence.files"))
        return [(row.digest, row.media_type) for row in selected]


async def media(context: ImportContext, external_id: str) -> list[dict[str, Any]]:
    async with context.db.unit(context.principal.org_id) as session:
        return ITEMS.shown(await store.resolve(session, ITEMS, external_id))["media"]


async def rows(context: ImportContext, table: str) -> int:
    async with context.db.unit(context.principal.org_id) as session:
        return (await session.execute(text(f"SELECT count(*) FROM resale.{table}"))).scalar_one()


def csv(folder: Path, *lines: str) -> Path:
    path = folder / "items.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


async def test_a_failure_in_the_middle_keeps_what_was_committed_and_its_index(
    context: ImportContext, tmp_path: Path
) -> None:
    good = "\n".join(f'{{"id": "{n}", "title": "thing {n}"}}' for n in range(6))
    path = tmp_path / "listings.jsonl"
    endless = '{"id": "x", "title": "' + "y" * 17_000_000 + '"}'
    path.write_text(f"{good}\n{endless}\n", encoding="utf-8")
    with pytest.raises(Invalid):
        await replace(LISTING_IMPORT, batch_rows=2).run(context, path)
    written = await rows(context, "listings")
    async with context.db.unit(context.principal.org_id) as session:
        [(status, error)] = await session.execute(text("SELECT status, error FROM whence.imports"))
        counted = text("""
            SELECT documents FROM whence.search_counts
            WHERE collection = 'resale.listings' AND term = ''
        """)
        indexed = (await session.execute(counted)).scalar_one_or_none() or 0
    assert (status, indexed) == ("failed", written)
    assert "longer than" in error


async def test_a_photograph_is_kept_once_under_its_content(
    context: ImportContext, tmp_path: Path
) -> None:
    content = photograph(tmp_path / "one.JPG")
    (tmp_path / "two.jpg").write_bytes(content)
    path = csv(tmp_path, "id,title,photos", "A,Lamp,one.JPG|two.jpg")
    for _ in range(2):
        await ITEM_IMPORT.run(context, path)
    digest = hashlib.sha256(content).hexdigest()
    name = digest + ".jpg"
    assert await files(context) == [(digest, "image/jpeg")]
    assert await media(context, "A") == [{"url": "one.JPG", "stored": name}]


async def test_importing_items_again_changes_only_what_differs(
    context: ImportContext, tmp_path: Path
) -> None:
    await ITEM_IMPORT.run(context, csv(tmp_path, "id,title,price", "A,Lamp,5", "B,Vase,6"))
    report = await ITEM_IMPORT.run(context, csv(tmp_path, "id,title,price", "A,Lamp,5", "B,Vase,7"))
    assert (report.added, report.updated, report.unchanged) == (0, 1, 1)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A picture that lies beside the folder of the imported file."""
    path = tmp_path / "secret.png"
    photograph(path)
    return path


@pytest.mark.parametrize("spelt", ["file://{}", "{}", "../secret.png", "link.png", "~/secret.png"])
async def test_nothing_outside_of_the_files_folder_is_read(
    context: ImportContext, tmp_path: Path, secret: Path, spelt: str
) -> None:
    folder = tmp_path / "inside"
    folder.mkdir()
    (folder / "link.png").symlink_to(secret)
    name = spelt.format(secret)
    path = folder / "items.jsonl"
    path.write_text(f'{{"id": "A", "title": "Lamp", "photos": ["{name}"]}}\n', encoding="utf-8")
    report = await ITEM_IMPORT.run(context, path)
    assert report.warnings
    assert await media(context, "A") == []
    assert await files(context) == []


async def test_a_name_in_the_uploads_cannot_be_claimed_by_a_file(
    context: ImportContext, tmp_path: Path
) -> None:
    stored = "0" * 64 + ".jpg"
    path = tmp_path / "items.jsonl"
    row = f'{{"id": "A", "title": "Lamp", "media": [{{"url": "x.jpg", "stored": "{stored}"}}]}}'
    path.write_text(row + "\n", encoding="utf-8")
    await ITEM_IMPORT.run(context, path)
    assert await media(context, "A") == []


async def test_a_photograph_too_large_to_open_is_left_out_and_told(
    context: ImportContext, tmp_path: Path
) -> None:
    with (tmp_path / "huge.jpg").open("wb") as file:
        file.truncate(MAX_PHOTO_BYTES + 1)
    report = await ITEM_IMPORT.run(context, csv(tmp_path, "id,title,photos", "A,Lamp,huge.jpg"))
    assert report.added == 1
    assert any("larger than 20 MB" in warning for warning in report.warnings)
    assert await media(context, "A") == []


async def test_no_transaction_waits_while_a_photograph_is_opened(
    context: ImportContext, tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_transactions: list[int] = []

    def watched(source: Path) -> PhotographOnDisk:
        with psycopg.connect(database_url) as connection:
            counted = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                "AND state LIKE 'idle in transaction%'"
            ).fetchone()
        open_transactions.append(counted[0] if counted else -1)
        return photograph_on_disk(source)

    monkeypatch.setattr(importing, "photograph_on_disk", watched)
    photograph(tmp_path / "one.jpg")
    await ITEM_IMPORT.run(context, csv(tmp_path, "id,title,photos", "A,Lamp,one.jpg"))
    assert open_transactions == [0]
    assert len(await media(context, "A")) == 1


async def test_a_photograph_that_changes_during_the_import_is_left_out_and_told(
    context: ImportContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "one.jpg"

    def then_changed(source: Path) -> PhotographOnDisk:
        known = photograph_on_disk(source)
        path.write_bytes(b"<html></html>")
        return known

    monkeypatch.setattr(importing, "photograph_on_disk", then_changed)
    photograph(path)
    report = await ITEM_IMPORT.run(context, csv(tmp_path, "id,title,photos", "A,Lamp,one.jpg"))
    assert any("it changed while it was imported" in warning for warning in report.warnings)
    assert await files(context) == []


async def test_what_is_no_photograph_whatever_its_name_is_left_out_and_told(
    context: ImportContext, tmp_path: Path
) -> None:
    (tmp_path / "page.jpg").write_bytes(b"<html><script>alert(1)</script></html>")
    report = await ITEM_IMPORT.run(context, csv(tmp_path, "id,title,photos", "A,Lamp,page.jpg"))
    assert report.added == 1
    assert any("not an image of a known type" in warning for warning in report.warnings)
    assert await files(context) == []


async def test_what_an_import_changes_is_in_the_audit_log(
    context: ImportContext, tmp_path: Path
) -> None:
    await ITEM_IMPORT.run(context, csv(tmp_path, "id,title,brand", "i1,Lamp,Lumora"))
    await ITEM_IMPORT.run(context, csv(tmp_path, "id,title,brand", "i1,Lamp,Corvane"))
    async with context.db.unit(context.principal.org_id) as session:
        query = text(
            "SELECT action, detail FROM whence.audit_log WHERE kind = 'items' ORDER BY at, id"
        )
        first, second = (await session.execute(query)).all()
    assert (first.action, first.detail["brand"]) == ("import", "Lumora")
    assert second.detail == {"before": {"brand": "Lumora"}, "after": {"brand": "Corvane"}}


async def test_an_import_that_brings_no_photograph_leaves_those_there_are(
    context: ImportContext, tmp_path: Path
) -> None:
    photograph(tmp_path / "front.jpg")
    await ITEM_IMPORT.run(context, csv(tmp_path, "id,title,photos", "i1,Lamp,front.jpg"))
    [attached] = await media(context, "i1")
    again = csv(tmp_path, "id,title,photos", "i1,Desk lamp,missing.jpg")
    assert (await ITEM_IMPORT.run(context, again)).updated == 1
    assert await media(context, "i1") == [attached]


async def test_a_web_address_takes_the_place_of_an_attached_photograph(
    context: ImportContext, tmp_path: Path
) -> None:
    photograph(tmp_path / "front.jpg")
    await ITEM_IMPORT.run(context, csv(tmp_path, "id,title,photos", "i1,Lamp,front.jpg"))
    address = "https://photos.example/front.jpg"
    again = csv(tmp_path, "id,title,photos", f"i1,Lamp,{address}", f"i2,Vase,{address}")
    report = await ITEM_IMPORT.run(context, again)
    assert (report.added, report.updated) == (1, 1)
    assert [await media(context, each) for each in ("i1", "i2")] == [
        [{"url": address, "stored": None}]
    ] * 2


async def test_an_import_leaves_what_research_says_of_an_item(
    context: ImportContext, tmp_path: Path
) -> None:
    await ITEM_IMPORT.run(context, csv(tmp_path, "id,title", "i1,Lamp"))
    state = text("UPDATE resale.items SET ai_review_state = 'reviewed' RETURNING version")
    async with context.db.unit(context.principal.org_id) as session:
        await session.execute(state)
    report = await ITEM_IMPORT.run(context, csv(tmp_path, "id,title", "i1,Desk lamp"))
    async with context.db.unit(context.principal.org_id) as session:
        row = await store.resolve(session, ITEMS, "i1")
        shown = ITEMS.shown(row)
    assert report.updated == 1
    assert (shown["title"], shown["aiReviewState"], shown["version"]) == (
        "Desk lamp",
        "reviewed",
        2,
    )


async def test_a_batch_of_items_needs_as_many_statements_as_one_item(
    context: ImportContext, tmp_path: Path
) -> None:
    counts: list[int] = []

    def count(*_: object) -> None:
        counts[-1] += 1

    engine = context.db._engine.sync_engine
    event.listen(engine, "before_cursor_execute", count)
    try:
        for many in (1, 50):
            counts.append(0)
            rows = (f"{many}-{at},Lamp {at},red" for at in range(many))
            await ITEM_IMPORT.run(context, csv(tmp_path, "id,title,colour", *rows))
    finally:
        event.remove(engine, "before_cursor_execute", count)
    assert counts[0] == counts[1]
