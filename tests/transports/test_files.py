"""Photographs put with an item: told by their content, kept once, shown but never run."""

from __future__ import annotations

import hashlib
import io
import os
import struct
import zlib
from typing import Any

import httpx
import pytest
from PIL import Image

from whence.packs.resale.perception.images import MAX_BYTES
from whence.records import store
from whence.tenancy.principal import Role
from whence.transports.edge.receiving import MAX_JSON_BYTES

pytestmark = pytest.mark.anyio


def picture(kind: str = "PNG", colour: str = "teal") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(out, kind)
    return out.getvalue()


def bomb(width: int = 30_000, height: int = 30_000) -> bytes:
    """A PNG of a few bytes that claims 900 million pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"\0" * 100_000, 9)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    )


@pytest.fixture
async def item(owner: httpx.AsyncClient) -> str:
    made = await owner.post("/api/items", json={"title": "A lamp"})
    return f"/api/items/{made.json()['id']}"


async def put(
    client: httpx.AsyncClient, item: str, content: bytes, name: str = "front.png", **headers: str
) -> httpx.Response:
    sent = {"content-type": "application/octet-stream", **headers}
    return await client.post(
        f"{item}/files", params={"filename": name}, content=content, headers=sent
    )


async def test_a_photograph_is_kept_listed_and_read_again(
    owner: httpx.AsyncClient, item: str
) -> None:
    content = picture()
    made = await put(owner, item, content)
    digest = hashlib.sha256(content).hexdigest()
    assert made.status_code == 201
    assert made.json()["media"] == [{"url": "front.png", "stored": f"{digest}.png"}]
    assert made.headers["location"].endswith(f"/files/{digest}")
    read = await owner.get(made.headers["location"])
    assert (read.content, read.headers["content-type"]) == (content, "image/png")
    assert "sandbox" in read.headers["content-security-policy"]
    assert read.headers["x-content-type-options"] == "nosniff"


async def test_a_record_whose_id_has_a_slash_takes_files_of_the_same_size(
    owner: httpx.AsyncClient, platform: Any
) -> None:
    kind, who = platform.kind("items"), platform.owner
    async with platform.unit(who) as session:
        await store.create(session, who, kind, kind.record(title="A lamp"), "HP/1")
    out = io.BytesIO()
    Image.frombytes("RGB", (700, 700), os.urandom(3 * 700 * 700)).save(out, "PNG")
    content = out.getvalue()
    assert len(content) > MAX_JSON_BYTES
    made = await put(owner, "/api/items/HP%2F1", content)
    assert made.status_code == 201, made.text
    read = await owner.get(made.headers["location"])
    assert read.content == content


async def test_the_same_photograph_twice_is_listed_once(
    owner: httpx.AsyncClient, item: str
) -> None:
    first = await put(owner, item, picture())
    again = await put(owner, item, picture(), "other.png")
    assert again.status_code == 201
    assert again.json()["media"] == first.json()["media"]
    assert again.json()["version"] == first.json()["version"]


async def test_its_type_is_that_of_its_content_whatever_it_is_called(
    owner: httpx.AsyncClient, item: str
) -> None:
    made = await put(owner, item, picture("JPEG"), "front.png", **{"content-type": "text/html"})
    read = await owner.get(made.headers["location"])
    assert read.headers["content-type"] == "image/jpeg"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html><script>alert(1)</script></html>",
        b"%PDF-1.7 ...",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        picture()[:60],
        bomb(),
        b"GIF89a" + b"\xff" * 40,
        picture()[:8] + b"\0" * 400,
    ],
    ids=["empty", "page", "pdf", "svg", "cut", "bomb", "noise", "header-only"],
)
async def test_what_is_no_photograph_is_refused_in_words_and_leaves_nothing(
    owner: httpx.AsyncClient, item: str, content: bytes
) -> None:
    refused = await put(owner, item, content)
    assert refused.status_code == 422
    assert refused.json()["type"] == "/problems/invalid"
    assert (await owner.get(item)).json()["media"] == []


async def test_a_photograph_beyond_the_limit_is_refused(
    owner: httpx.AsyncClient, item: str
) -> None:
    refused = await put(owner, item, picture() + b"\0" * MAX_BYTES)
    assert refused.status_code == 413
    assert "larger than 20 MB" in refused.json()["detail"]


@pytest.mark.parametrize(
    ("sent", "url"),
    [
        ("../../../etc/passwd", "passwd"),
        ("C:\\pictures\\front.png", "front.png"),
        ("..", "file"),
        ("a\x01b\u202e.png", "ab.png"),
        ("", "file"),
    ],
)
async def test_a_name_is_only_ever_a_name(
    owner: httpx.AsyncClient, item: str, sent: str, url: str
) -> None:
    made = await put(owner, item, picture(), sent)
    assert made.json()["media"][0]["url"] == url


async def test_a_form_is_told_how_to_send_the_file(owner: httpx.AsyncClient, item: str) -> None:
    refused = await owner.post(f"{item}/files", files={"file": ("a.png", picture(), "image/png")})
    assert refused.status_code == 422
    assert "not a form" in refused.json()["detail"]


async def test_a_photograph_is_taken_off_and_is_then_not_found(
    owner: httpx.AsyncClient, item: str
) -> None:
    made = await put(owner, item, picture())
    address = made.headers["location"]
    gone = await owner.delete(address, headers={"if-match": made.headers["etag"]})
    assert gone.json()["media"] == []
    assert (await owner.get(address)).status_code == 404
    assert (await owner.delete(address)).status_code == 404


async def test_a_change_based_on_an_older_version_is_a_conflict(
    owner: httpx.AsyncClient, item: str
) -> None:
    assert (await put(owner, item, picture(), **{"if-match": '"7"'})).status_code == 409
    assert (await owner.get(item)).json()["media"] == []


async def test_a_file_is_read_only_through_a_record_that_carries_it(
    owner: httpx.AsyncClient, item: str
) -> None:
    made = await put(owner, item, picture())
    digest = made.headers["location"].rpartition("/")[2]
    other = await owner.post("/api/items", json={"title": "Another lamp"})
    assert (await owner.get(f"/api/items/{other.json()['id']}/files/{digest}")).status_code == 404


async def test_another_organization_reads_no_file_although_it_knows_its_digest(
    owner: httpx.AsyncClient, item: str, signed_in: Any, new_principal: Any
) -> None:
    made = await put(owner, item, picture())
    stranger = await signed_in(new_principal(Role.OWNER))
    digest = made.headers["location"].rpartition("/")[2]
    assert (await stranger.get(made.headers["location"])).status_code == 404
    claim = {"title": "Mine", "media": [{"url": "x.png", "stored": f"{digest}.png"}]}
    own = await stranger.post("/api/items", json=claim)
    assert (await stranger.get(f"/api/items/{own.json()['id']}/files/{digest}")).status_code == 404


async def test_a_browser_shows_what_it_kept_only_while_it_may_be_read(
    owner: httpx.AsyncClient, anonymous: httpx.AsyncClient, item: str
) -> None:
    made = await put(owner, item, picture())
    path = made.headers["location"]
    read = await owner.get(path)
    assert read.headers["cache-control"] == "private, no-cache"
    request = {"If-None-Match": read.headers["etag"]}
    again = await owner.get(path, headers=request)
    assert (again.status_code, again.content) == (304, b"")
    assert (await anonymous.get(path, headers=request)).status_code == 401
