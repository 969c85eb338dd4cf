"""Imports over HTTP: their reports are kept, paged and downloaded."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from whence.tenancy import tokens

pytestmark = pytest.mark.anyio
FILE = "id,title,text\na,A,x\nb,,x\nc,,=cmd()\nd,,x\n"


@pytest.fixture
async def client(platform: Any, serve: str) -> Any:
    token = await tokens.issue(platform.db, platform.owner, "importer")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=60) as client:
        yield client


async def imported(client: Any) -> dict[str, Any]:
    answer = await client.post(
        "/api/imports/sample_pack.notes", params={"filename": "n.csv"}, content=FILE
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_an_import_is_listed_and_read_again(client: Any) -> None:
    report = await imported(client)
    assert (report["added"], report["refusedCount"]) == (1, 3)
    [listed] = (await client.get("/api/imports")).json()["items"]
    one = (await client.get(f"/api/imports/{report['id']}")).json()
    assert listed == one
    assert (one["status"], one["rows"], one["refused"], one["filename"]) == ("done", 4, 3, "n.csv")
    assert one["mapping"] == {"id": "id", "title": "title", "text": "text"}


async def test_an_empty_file_is_called_by_its_own_name(client: Any) -> None:
    answer = await client.post(
        "/api/imports/sample_pack.notes", params={"filename": "../März notes.CSV"}, content=b""
    )
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("März notes.CSV is empty")


async def test_an_import_says_the_encoding_and_a_name_on_one_line(client: Any) -> None:
    name = "n\r\n2\u202egpj\u0007.csv"
    content = "id,title,text\na,Café,x\n".encode("cp1252")
    answer = await client.post(
        "/api/imports/sample_pack.notes", params={"filename": name}, content=content
    )
    report = answer.json()
    assert report["encoding"] == "cp1252"
    assert any("read as Windows-1252" in each for each in report["warnings"])
    one = (await client.get(f"/api/imports/{report['id']}")).json()
    assert (one["filename"], one["encoding"]) == ("n 2gpj.csv", "cp1252")


async def test_refused_rows_are_paged_and_downloaded(client: Any) -> None:
    address = f"/api/imports/{(await imported(client))['id']}/refusals"
    first = (await client.get(address, params={"limit": 2})).json()
    rest = (await client.get(address, params={"limit": 2, "cursor": first["nextCursor"]})).json()
    assert [row["line"] for row in first["items"] + rest["items"]] == [3, 4, 5]
    assert rest["nextCursor"] is None
    download = await client.get(f"{address}.csv")
    assert download.headers["content-type"].startswith("text/csv")
    assert download.text.splitlines()[:2] == [
        "line,field,value,reason",
        "3,title,,The title is empty.",
    ]


async def test_an_import_that_is_over_stays_as_it_is(client: Any) -> None:
    report = await imported(client)
    answer = await client.post(f"/api/imports/{report['id']}/cancel")
    assert answer.json()["status"] == "done"


async def test_an_import_that_there_is_not(client: Any) -> None:
    nobody = "00000000-0000-7000-8000-000000000000"
    for path in ("", "/refusals", "/refusals.csv"):
        assert (await client.get(f"/api/imports/{nobody}{path}")).status_code == 404
