"""A file that is looked at before it is imported: its columns, what would be refused, its start."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import httpx
import psycopg
import pytest
from sqlalchemy import text

from pruning import prune
from whence.records.imports.importer import ImportContext
from whence.records.imports.running import import_file
from whence.tenancy import tokens

pytestmark = pytest.mark.anyio
FILE = "Key,Name,Remarks,Body\nn1,First,aside,one\nn2,,aside,two\nn3,Third,aside,three\n"
PATH = "/api/imports/sample_pack.notes/files"
REMAPPED = {"Remarks": "text", "Body": "ignore"}


@pytest.fixture
async def client(platform: Any, serve: str) -> Any:
    token = await tokens.issue(platform.db, platform.owner, "importer")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=60) as client:
        yield client


async def draft(client: Any, file: str = FILE) -> str:
    params = {"filename": "notes.csv", "start": "false"}
    answer = await client.post(PATH, params=params, content=file.encode())
    assert answer.status_code == 202, answer.text
    return answer.json()["id"]


async def previewed(client: Any, import_id: str, **choice: Any) -> dict[str, Any]:
    answer = await client.post(f"/api/imports/{import_id}/preview", json=choice)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def over(client: Any, import_id: str) -> dict[str, Any]:
    while True:
        body = (await client.get(f"/api/imports/{import_id}")).json()
        if body["status"] not in ("waiting", "running"):
            return body
        await asyncio.sleep(0.1)


async def test_a_preview_tells_columns_rows_and_refusals_and_writes_nothing(client: Any) -> None:
    await client.post(
        "/api/imports/sample_pack.notes", params={"filename": "a.csv"}, content=b"id,title\nn1,Old"
    )
    import_id = await draft(client)
    shown = await previewed(client, import_id)
    columns = {each["header"]: (each["field"], each["samples"]) for each in shown["columns"]}
    assert columns["Name"] == ("title", ["First", "Third"])
    assert columns["Remarks"][0] is None
    assert {each["name"]: each["isRequired"] for each in shown["fields"]}["title"]
    assert [(each["line"], each["outcome"]) for each in shown["rows"]] == [
        (2, "updated"),
        (4, "added"),
    ]
    assert shown["rows"][0]["record"] == {"title": "First", "text": "one"}
    [refused] = shown["refused"]
    assert (refused["line"], refused["field"]) == (3, "title")
    assert (shown["read"], shown["refusedCount"], shown["isWhole"]) == (3, 1, True)
    notes = (await client.get("/api/notes")).json()["items"]
    assert [(each["title"], each["version"]) for each in notes] == [("Old", 1)]
    assert (await client.get(f"/api/imports/{import_id}")).json()["status"] == "draft"


async def test_chosen_columns_are_imported_as_they_were_previewed(client: Any, worker: Any) -> None:
    import_id = await draft(client)
    shown = await previewed(client, import_id, mapping=REMAPPED)
    assert shown["rows"][0]["record"]["text"] == "aside"
    body = {"mapping": REMAPPED}
    for _ in range(2):  # a second press changes nothing
        answer = await client.post(f"/api/imports/{import_id}/start", json=body)
        assert answer.status_code == 202, answer.text
    stored = await over(client, import_id)
    assert (stored["status"], stored["added"], stored["refused"]) == ("done", 2, 1)
    assert stored["chosen"] == REMAPPED
    assert stored["mapping"]["Remarks"] == "text"
    assert stored["ignored"] == ["Body"]
    texts = {each["text"] for each in (await client.get("/api/notes")).json()["items"]}
    assert texts == {"aside"}


async def test_a_missing_column_is_told_with_samples_and_can_be_chosen(client: Any) -> None:
    import_id = await draft(client, "id,What\na,Apple\n")
    shown = await previewed(client, import_id)
    assert shown["missing"] == ["title"]
    assert shown["rows"] == []
    assert {each["header"]: each["samples"] for each in shown["columns"]}["What"] == ["Apple"]
    assert (await previewed(client, import_id, mapping={"What": "title"}))["missing"] == []
    wrong = await client.post(f"/api/imports/{import_id}/preview", json={"mapping": {"X": "title"}})
    assert wrong.status_code == 422
    assert "There is no header 'X'" in wrong.json()["detail"]


async def test_an_import_that_was_cut_off_goes_on_with_its_columns(
    client: Any, platform: Any
) -> None:
    """After a kill, the next worker reads the mapping of the import, not that of the words."""
    lines = "".join(f"n{at},Note {at},aside,body\n" for at in range(6))
    import_id = await draft(client, "Key,Name,Remarks,Body\n" + lines)
    await client.post(f"/api/imports/{import_id}/start", json={"mapping": REMAPPED})
    notes = platform.importer("sample_pack.notes")

    class Killed(BaseException):
        pass

    async def deadly(batch: Any) -> None:
        await notes.write(batch)
        if batch.rows[0].external_id == "n2":
            raise Killed

    org = str(platform.owner.org_id)
    killed = replace(notes, write=deadly, batch_rows=2)
    with pytest.raises(Killed):
        await replace(platform.imports, importer=lambda _: killed).attempt(org, import_id)
    assert (await client.get(f"/api/imports/{import_id}")).json()["rows"] == 2
    await platform.imports.attempt(org, import_id)
    stored = await over(client, import_id)
    assert (stored["status"], stored["added"]) == ("done", 6)
    assert {each["text"] for each in (await client.get("/api/notes")).json()["items"]} == {"aside"}


async def test_a_cancelled_import_is_resumed_after_its_last_batch(
    client: Any, platform: Any
) -> None:
    import_id = await draft(client)
    await client.post(f"/api/imports/{import_id}/start", json={})
    assert (await client.post(f"/api/imports/{import_id}/resume")).json()["status"] == "waiting"
    cancelled = (await client.post(f"/api/imports/{import_id}/cancel")).json()
    assert (cancelled["status"], cancelled["canResume"]) == ("cancelled", True)
    assert (await client.post(f"/api/imports/{import_id}/resume")).status_code == 202
    await platform.imports.attempt(str(platform.owner.org_id), import_id)
    stored = await over(client, import_id)
    assert (stored["status"], stored["added"], stored["canResume"]) == ("done", 2, False)
    again = await client.post(f"/api/imports/{import_id}/resume")
    assert again.status_code == 409


async def test_a_draft_can_be_discarded_and_an_import_cannot(client: Any, platform: Any) -> None:
    import_id = await draft(client)
    assert await draft(client) == import_id  # the same file is kept once
    assert (await client.delete(f"/api/imports/{import_id}")).status_code == 204
    assert (await client.get(f"/api/imports/{import_id}")).status_code == 404
    started = await draft(client)
    await client.post(f"/api/imports/{started}/start", json={})
    assert (await client.delete(f"/api/imports/{started}")).status_code == 409
    other = await client.post(f"/api/imports/{await draft(client)}/start", json={})
    assert other.status_code == 409
    assert "already" in other.json()["detail"]


async def test_files_of_drafts_and_of_cut_imports_go_after_a_week(
    client: Any, platform: Any, database_url: str
) -> None:
    forgotten = await draft(client)
    cut = await draft(client, FILE + "n4,Fourth,,\n")
    await client.post(f"/api/imports/{cut}/start", json={})
    await client.post(f"/api/imports/{cut}/cancel")
    fresh = await draft(client, FILE + "n5,Fifth,,\n")
    with psycopg.connect(database_url, autocommit=True) as database:
        database.execute(
            "UPDATE whence.imports SET created_at = created_at - interval '8 days', "
            "ended_at = ended_at - interval '8 days' WHERE id <> %s",
            (fresh,),
        )
    assert (await prune(platform))["import_files"] == 2
    assert (await client.get(f"/api/imports/{forgotten}")).status_code == 404
    assert (await client.get(f"/api/imports/{cut}")).json()["canResume"] is False
    assert (await previewed(client, fresh))["read"] == 4


async def test_the_command_line_reads_chosen_columns(platform: Any, tmp_path: Any) -> None:
    path = tmp_path / "notes.csv"
    path.write_text(FILE)
    context = ImportContext(platform.owner, platform.db, platform.settings, mapping=REMAPPED)
    report = await import_file(context, platform.importer("sample_pack.notes"), path)
    assert report.mapping["Remarks"] == "text"
    async with platform.unit(platform.owner) as session:
        texts = await session.scalars(text("SELECT DISTINCT text FROM sample_pack.notes"))
        assert list(texts) == ["aside"]


async def test_an_earlier_import_of_the_file_and_a_choice_of_columns_are_offered_again(
    client: Any, platform: Any
) -> None:
    first = await draft(client)
    assert (await previewed(client, first))["sameFile"] is None
    await client.post(f"/api/imports/{first}/start", json={"mapping": REMAPPED})
    await platform.imports.attempt(str(platform.owner.org_id), first)

    again = await previewed(client, await draft(client))
    assert (again["sameFile"]["id"], again["sameColumns"]["mapping"]) == (first, REMAPPED)
    other = await previewed(client, await draft(client, FILE.replace("First", "Another")))
    assert (other["sameFile"], other["sameColumns"]["id"]) == (None, first)
    more = await previewed(client, await draft(client, FILE.replace("Body", "Text")))
    assert (more["sameFile"], more["sameColumns"]) == (None, None)
