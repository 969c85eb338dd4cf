"""Reading files over HTTP: whole, in parts, by their headers alone, and never run."""

from __future__ import annotations

import io
import os
from typing import Any

import httpx
import pytest
from PIL import Image

from whence.records.files.store import CHUNK_BYTES
from whence.transports.edge.ranges import RangeNotSatisfiable, Span, is_known, span_asked

pytestmark = pytest.mark.anyio
ETAG = '"abc"'


@pytest.fixture
async def photograph(owner: httpx.AsyncClient) -> tuple[str, bytes]:
    """The address and content of a picture that takes several pieces."""
    out = io.BytesIO()
    Image.frombytes("RGB", (1000, 800), os.urandom(2_400_000)).save(out, "BMP")
    made = await owner.post("/api/items", json={"title": "A lamp"})
    path = f"/api/items/{made.json()['id']}/files"
    put = await owner.post(path, params={"filename": 'fr"önt.bmp'}, content=out.getvalue())
    assert put.status_code == 201, put.text
    assert len(out.getvalue()) > 2 * CHUNK_BYTES
    return put.headers["location"], out.getvalue()


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (None, None),
        ("bytes=0-0", Span(0, 1)),
        ("bytes=2-5", Span(2, 6)),
        ("bytes=7-", Span(7, 10)),
        ("bytes=-3", Span(7, 10)),
        ("bytes=-99", Span(0, 10)),
        ("bytes=3-99", Span(3, 10)),
        ("Bytes = 3 - 4", Span(3, 5)),
        ("bytes=5-2", None),
        ("bytes=0-1,4-5", None),
        ("bytes=-", None),
        ("lines=0-1", None),
        ("bytes=x-1", None),
        ("bytes=" + "9" * 30 + "-", None),
    ],
)
def test_a_range_is_read_as_the_standard_says(header: str | None, expected: Span | None) -> None:
    assert span_asked(header, None, ETAG, 10) == expected


@pytest.mark.parametrize(("header", "size"), [("bytes=10-", 10), ("bytes=-0", 10), ("bytes=0-", 0)])
def test_a_part_beyond_the_end_is_refused(header: str, size: int) -> None:
    with pytest.raises(RangeNotSatisfiable):
        span_asked(header, None, ETAG, size)


def test_a_part_of_another_version_is_not_mixed_with_this_one() -> None:
    assert span_asked("bytes=2-5", ETAG, ETAG, 10) == Span(2, 6)
    for other in ('"other"', f"W/{ETAG}", "Wed, 21 Oct 2015 07:28:00 GMT"):
        assert span_asked("bytes=2-5", other, ETAG, 10) is None


def test_a_version_is_known_among_several() -> None:
    assert is_known(f'"x", W/{ETAG}', ETAG)
    assert is_known("*", ETAG)
    assert not is_known('"x"', ETAG)
    assert not is_known(None, ETAG)


async def test_a_file_is_read_whole_with_its_size(
    owner: httpx.AsyncClient, photograph: tuple[str, bytes]
) -> None:
    path, content = photograph
    read = await owner.get(path)
    assert (read.status_code, read.content) == (200, content)
    assert read.headers["content-length"] == str(len(content))
    assert read.headers["accept-ranges"] == "bytes"


async def test_a_part_is_read_across_pieces(
    owner: httpx.AsyncClient, photograph: tuple[str, bytes]
) -> None:
    path, content = photograph
    first, last = CHUNK_BYTES - 10, 2 * CHUNK_BYTES + 10
    read = await owner.get(path, headers={"range": f"bytes={first}-{last}"})
    assert (read.status_code, read.content) == (206, content[first : last + 1])
    assert read.headers["content-range"] == f"bytes {first}-{last}/{len(content)}"
    assert read.headers["content-length"] == str(last - first + 1)
    resumed = {"range": f"bytes={first}-", "if-range": read.headers["etag"]}
    assert (await owner.get(path, headers=resumed)).content == content[first:]
    stale = await owner.get(path, headers=resumed | {"if-range": '"other"'})
    assert (stale.status_code, len(stale.content)) == (200, len(content))


async def test_a_part_beyond_the_end_names_the_size(
    owner: httpx.AsyncClient, photograph: tuple[str, bytes]
) -> None:
    path, content = photograph
    refused = await owner.get(path, headers={"range": f"bytes={len(content)}-"})
    assert (refused.status_code, refused.json()["type"]) == (416, "/problems/range-not-satisfiable")
    assert refused.headers["content-range"] == f"bytes */{len(content)}"


async def test_head_answers_the_headers_alone(
    owner: httpx.AsyncClient, anonymous: httpx.AsyncClient, photograph: tuple[str, bytes]
) -> None:
    path, _ = photograph
    whole, head = await owner.get(path), await owner.head(path, headers={"range": "bytes=0-1"})
    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-length", "etag", "content-type", "content-disposition", "accept-ranges"):
        assert head.headers[name] == whole.headers[name]
    assert (await anonymous.head(path)).status_code == 401


async def test_uploads_are_larger_than_what_is_held_in_memory_and_are_told_their_limit(
    owner: httpx.AsyncClient, platform: Any
) -> None:
    made = await owner.post("/api/items", json={"title": "A lamp"})
    path = f"/api/items/{made.json()['id']}/files"

    async def endless() -> Any:
        for _ in range(30):
            yield b"x" * CHUNK_BYTES

    refused = await owner.post(path, content=endless())
    assert (refused.status_code, refused.json()["type"]) == (413, "/problems/too-large")
    assert "larger than 20 MB" in refused.json()["detail"]
    assert platform.files.spool.held == 0
