"""Imports that a worker carries out: queued with their file, gone on with after a death."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from whence.records.imports.background import MAX_TRIES
from whence.tenancy import tokens

pytestmark = pytest.mark.anyio
FILE = "id,title,text\n" + "".join(f"n{at},Note {at},x\n" for at in range(50)) + "bad,,x\n"
PATH = "/api/imports/sample_pack.notes/files"


@pytest.fixture
async def client(platform: Any, serve: str) -> Any:
    token = await tokens.issue(platform.db, platform.owner, "importer")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=60) as client:
        yield client


async def parts() -> Any:
    for start in range(0, len(FILE), 100):
        yield FILE[start : start + 100].encode()


async def submit(client: Any) -> dict[str, Any]:
    answer = await client.post(PATH, params={"filename": "notes.csv"}, content=parts())
    assert answer.status_code == 202, answer.text
    return answer.json()


async def over(client: Any, import_id: str) -> dict[str, Any]:
    while True:
        body = (await client.get(f"/api/imports/{import_id}")).json()
        if body["status"] not in ("waiting", "running"):
            return body
        await asyncio.sleep(0.1)


async def test_an_upload_is_streamed_into_storage_and_imported_by_a_worker(
    client: Any, platform: Any, worker: Any
) -> None:
    result = await over(client, (await submit(client))["id"])
    assert (result["status"], result["added"], result["refused"]) == ("done", 50, 1)
    assert result["filename"] == "notes.csv"
    again = await over(client, (await submit(client))["id"])
    assert (again["added"], again["updated"], again["unchanged"]) == (0, 0, 50)
    assert any("nothing has changed" in note for note in again["notes"])


async def test_the_same_file_waits_once(client: Any) -> None:
    first, second = await submit(client), await submit(client)
    assert (first["created"], second["created"]) == (True, False)
    assert first["id"] == second["id"]


async def test_a_cancelled_import_is_not_begun(client: Any, platform: Any) -> None:
    import_id = (await submit(client))["id"]
    assert (await client.post(f"/api/imports/{import_id}/cancel")).json()["status"] == "cancelled"
    await platform.imports.attempt(str(platform.owner.org_id), import_id)
    assert (await client.get("/api/notes")).json()["items"] == []


async def test_a_second_worker_goes_on_and_a_file_that_kills_is_given_up(
    client: Any, platform: Any
) -> None:
    import_id = (await submit(client))["id"]

    class Killed(BaseException):
        pass

    notes = platform.importer("sample_pack.notes")

    async def deadly(batch: Any) -> None:
        await notes.write(batch)
        if batch.rows[0].external_id == "n20":
            raise Killed

    deaths = replace(
        platform.imports, importer=lambda _: replace(notes, write=deadly, batch_rows=10)
    )
    org = str(platform.owner.org_id)
    for _ in range(1 + MAX_TRIES):
        with pytest.raises(Killed):
            await deaths.attempt(org, import_id)
    assert (await client.get(f"/api/imports/{import_id}")).json()["rows"] == 20
    await deaths.attempt(org, import_id)
    body = (await client.get(f"/api/imports/{import_id}")).json()
    assert (body["status"], body["added"]) == ("failed", 20)
    assert "five times at the same row" in body["error"]


async def test_who_has_left_imports_nothing(client: Any, platform: Any, database_url: str) -> None:
    import psycopg

    import_id = (await submit(client))["id"]
    with psycopg.connect(database_url) as connection:
        connection.execute("DELETE FROM whence.memberships")
    await platform.imports.attempt(str(platform.owner.org_id), import_id)
    async with platform.unit(platform.owner) as session:
        [(status, file)] = await session.execute(
            text("SELECT status, file = digest FROM whence.imports")
        )
        [(notes,)] = await session.execute(text("SELECT count(*) FROM sample_pack.notes"))
    assert (status, file, notes) == ("failed", True, 0)
