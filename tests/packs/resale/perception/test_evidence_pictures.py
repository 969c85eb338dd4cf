"""Pictures of evidence from other sites: named by evidence, fetched guardedly, sent small."""

from __future__ import annotations

import io
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from aiohttp import web
from PIL import Image

from whence.evidence.pictures import (
    FOLDER,
    KEPT_SECONDS,
    MAX_BYTES,
    EvidencePictures,
)
from whence.kernel.fetch import Fetcher, Reach
from whence.kernel.ids import new_id
from whence.packs.resale.perception.reader import PhotographReader

pytestmark = pytest.mark.anyio


Make = Callable[[bytes], Awaitable[bytes | None]]


def jpeg(side: int) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (side, side), "teal").save(file, "JPEG")
    return file.getvalue()


class Site:
    """A site on this machine that gives one body to every request."""

    def __init__(self) -> None:
        self.body, self.requests, self.base = jpeg(1_500), 0, ""

    async def answer(self, request: web.Request) -> web.Response:
        self.requests += 1
        return web.Response(body=self.body, content_type="text/html")


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    played = Site()
    app = web.Application()
    app.router.add_get("/{path:.*}", played.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    played.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield played
    await runner.cleanup()


@pytest.fixture
async def previews() -> AsyncIterator[Make]:
    reader = PhotographReader()
    yield reader.preview
    await reader.close()


def pictures(home: Path, make: Make, reach: Reach | None = None) -> EvidencePictures:
    return EvidencePictures(Fetcher(reach), home, make)


async def test_a_picture_is_fetched_once_and_sent_small(
    site: Site, previews: Make, tmp_path: Path
) -> None:
    own = pictures(tmp_path, previews, Reach.only(site.base, allow_private=True))
    org, url = new_id(), f"{site.base}/a.jpg"
    small = await own.small(org, url)
    assert small is not None
    with Image.open(io.BytesIO(small)) as picture:
        assert (picture.format, max(picture.size) < 1_500) == ("JPEG", True)
    assert await own.small(org, url) == small
    assert site.requests == 1
    await own.small(new_id(), url)
    assert site.requests == 2, "one organization was shown what another one fetched"

    for kept in (tmp_path / FOLDER).iterdir():
        old = time.time() - KEPT_SECONDS - 1
        os.utime(kept, (old, old))
    await own.small(org, url)
    assert site.requests == 3
    assert len(list((tmp_path / FOLDER).iterdir())) == 1, "an old picture stayed"


async def test_a_private_address_is_not_asked(site: Site, previews: Make, tmp_path: Path) -> None:
    assert await pictures(tmp_path, previews).small(new_id(), f"{site.base}/a.jpg") is None
    assert site.requests == 0


@pytest.mark.parametrize("body", [b"<svg onload='alert(1)'/>", b"", b"x" * (MAX_BYTES + 1)])
async def test_what_is_no_picture_or_too_large_is_not_kept(
    site: Site, previews: Make, tmp_path: Path, body: bytes
) -> None:
    site.body = body
    own = pictures(tmp_path, previews, Reach.only(site.base, allow_private=True))
    assert await own.small(new_id(), f"{site.base}/a.jpg") is None
    assert list(tmp_path.iterdir()) == []
