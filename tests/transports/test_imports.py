"""Imports over HTTP: their reports are kept, paged and downloaded."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from fixtures.workbooks import xlsx
from whence.records.imports.running import import_file
from whence.tenancy import tokens
from whence.transports.routes.http import imports

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


async def test_only_two_workbooks_are_read_at_once(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is held in memory. A CSV file passes workbooks that wait."""
    running, most = 0, 0
    go_on = asyncio.Event()

    async def counted(*args: Any, filename: str, **more: Any) -> Any:
        nonlocal running, most
        running, is_workbook = running + 1, filename.endswith("xlsx")
        most = max(most, running)
        if is_workbook:
            await go_on.wait()
        report = await import_file(*args, filename=filename, **more)
        running -= 1
        if not is_workbook:
            go_on.set()
        return report

    monkeypatch.setattr(imports, "import_file", counted)

    async def post(name: str, content: bytes) -> int:
        params = {"filename": name}
        answer = await client.post("/api/imports/sample_pack.notes", params=params, content=content)
        return answer.status_code

    sheets = [{"One": [("id", "title", "text"), (str(n), "A", "x")]} for n in range(4)]
    books = [xlsx(tmp_path / f"{n}.xlsx", each) for n, each in enumerate(sheets)]
    async with asyncio.timeout(60):
        waiting = [asyncio.create_task(post(book.name, book.read_bytes())) for book in books]
        while running < 2:
            await asyncio.sleep(0.01)
        assert await post("n.csv", FILE.encode()) == 200
        assert await asyncio.gather(*waiting) == [200] * 4
    assert most == 3


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
