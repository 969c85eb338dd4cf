"""The files of a record as a list: in order, paged, renamed, moved; each act one short line."""

from __future__ import annotations

import hashlib
import io
import json
from typing import Any

import httpx
import psycopg
import pytest
from PIL import Image

pytestmark = pytest.mark.anyio


def picture(number: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (40, 30), (number, 99, 150)).save(out, "PNG")
    return out.getvalue()


@pytest.fixture
async def item(owner: httpx.AsyncClient) -> str:
    made = await owner.post("/api/items", json={"title": "A lamp"})
    return f"/api/items/{made.json()['id']}"


async def put(owner: httpx.AsyncClient, item: str, number: int) -> httpx.Response:
    name = {"filename": f"{number}.png"}
    return await owner.post(f"{item}/files", params=name, content=picture(number))


async def names(owner: httpx.AsyncClient, item: str) -> list[str]:
    return [each["name"] for each in (await owner.get(f"{item}/files")).json()["items"]]


async def test_files_are_listed_in_their_order_page_by_page(
    owner: httpx.AsyncClient, item: str
) -> None:
    for number in range(5):
        await put(owner, item, number)
    first = (await owner.get(f"{item}/files", params={"limit": 3})).json()
    assert [each["name"] for each in first["items"]] == ["0.png", "1.png", "2.png"]
    cursor = {"limit": 3, "cursor": first["nextCursor"]}
    rest = (await owner.get(f"{item}/files", params=cursor)).json()
    assert [each["name"] for each in rest["items"]] == ["3.png", "4.png"]
    assert rest["nextCursor"] is None
    listed = first["items"][0]
    assert listed["digest"] == hashlib.sha256(picture(0)).hexdigest()
    assert (listed["mediaType"], listed["size"]) == ("image/png", len(picture(0)))
    assert (await owner.get(listed["url"])).content == picture(0)
    for wrong in ("x", "LTE="):
        assert (await owner.get(f"{item}/files", params={"cursor": wrong})).status_code == 422


async def test_twentyfour_files_write_twentyfour_short_lines(
    owner: httpx.AsyncClient, item: str, database_url: str
) -> None:
    for number in range(24):
        assert (await put(owner, item, number)).status_code == 201
    more = await put(owner, item, 24)
    assert (more.status_code, more.json()["type"]) == (422, "/problems/invalid")
    with psycopg.connect(database_url) as admin:
        lines = admin.execute(
            "SELECT octet_length(detail::text) FROM whence.audit_log WHERE action = 'attach_file'"
        ).fetchall()
    assert len(lines) == 24
    assert sum(size for (size,) in lines) < 24 * 250


async def test_a_file_is_renamed_captioned_and_moved_and_the_history_tells(
    owner: httpx.AsyncClient, item: str
) -> None:
    last = [await put(owner, item, number) for number in range(3)][-1]
    path = last.headers["location"]
    moved = await owner.patch(path, json={"position": 0, "caption": "The plate"})
    assert moved.status_code == 200
    assert await names(owner, item) == ["2.png", "0.png", "1.png"]
    assert [each["url"] for each in moved.json()["media"]] == ["2.png", "0.png", "1.png"]
    again = await owner.patch(path, json={"position": 0, "caption": "The plate"})
    assert again.json()["version"] == moved.json()["version"]
    stale = await owner.patch(path, json={"name": "x"}, headers={"if-match": '"1"'})
    assert stale.status_code == 409
    await owner.patch(path, json={"name": "../plate.png"})
    history = (await owner.get(f"{item}/audit")).json()["items"]
    [entry, before, *_] = history
    assert entry["action"] == before["action"] == "change_file"
    assert entry["changes"][0]["after"]["name"] == "plate.png"
    assert "caption" not in json.dumps(before["changes"][0]["before"])


async def test_what_a_client_sends_back_changes_web_addresses_and_no_files(
    owner: httpx.AsyncClient, item: str
) -> None:
    made = (await put(owner, item, 1)).json()["media"]
    address = {"url": "https://example.org/a.jpg", "stored": None}
    forged = {"url": "mine.png", "stored": "0" * 64 + ".png"}
    patched = await owner.patch(item, json={"media": [*made, address, forged]})
    assert patched.json()["media"] == [*made, address]
    emptied = await owner.patch(item, json={"media": []})
    assert emptied.json()["media"] == made


async def test_a_file_taken_off_may_be_put_back(owner: httpx.AsyncClient, item: str) -> None:
    path = (await put(owner, item, 1)).headers["location"]
    await owner.delete(path)
    assert await names(owner, item) == []
    assert (await put(owner, item, 1)).status_code == 201
    assert await names(owner, item) == ["1.png"]


async def test_photographs_of_before_become_attachments(
    platform: Any, owner: httpx.AsyncClient, item: str, database_url: str
) -> None:
    made = (await put(owner, item, 1)).json()
    [entry], address = made["media"], {"url": "https://example.org/a.jpg"}
    lost = {"url": "lost.png", "stored": "0" * 64 + ".png"}
    with psycopg.connect(database_url) as admin:
        admin.execute("DELETE FROM whence.attachments")
        as_before = json.dumps([entry, address, lost])
        admin.execute("UPDATE resale.items SET media = %s::jsonb", (as_before,))
        [resale] = [pack for pack in platform.packs if pack.id == "resale"]
        migration = resale.migrations / "versions" / "0002_attachments.sql"
        admin.execute(migration.read_bytes())
    assert await names(owner, item) == ["1.png"]
    shown = (await owner.get(item)).json()["media"]
    assert [each["url"] for each in shown] == ["1.png", address["url"], "lost.png"]
