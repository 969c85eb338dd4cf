"""Photographs are read in a process of their own: within a memory limit, and gone afterwards."""

from __future__ import annotations

import asyncio
import io
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from PIL import Image

from whence.packs.resale.perception.images import UnreadableImage
from whence.packs.resale.perception.photographs import read_photographs
from whence.packs.resale.perception.reader import (
    MEMORY_MB,
    NO_MEMORY,
    PhotographReader,
    checked_media_type,
)

pytestmark = pytest.mark.anyio
LARGE = 7_000
"""Side of a picture just within the limit of pixels."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def reader() -> AsyncIterator[PhotographReader]:
    made = PhotographReader(idle_seconds=30.0)
    yield made
    await made.close()


def blank(side: int, kind: str = "PNG", mode: str = "RGB") -> bytes:
    file = io.BytesIO()
    Image.new(mode, (side, side), "white").save(file, kind)
    return file.getvalue()


async def test_it_reads_what_is_read_in_the_same_process(
    reader: PhotographReader, sample_photos: Path
) -> None:
    content = (sample_photos / "back.jpg").read_bytes()
    [image] = read_photographs([content]).images
    lines = sorted((line for line in image.lines if not line.unsure), key=lambda x: -x.confidence)
    reading = await reader.read(content)
    assert reading.barcodes == [code.gtin14 for code in image.barcodes.barcodes]
    assert reading.text == [line.text for line in lines]


@pytest.mark.parametrize(
    ("kind", "mode", "task"),
    [
        ("JPEG", "RGB", PhotographReader.preview),
        pytest.param("PNG", "RGBA", PhotographReader.read, marks=pytest.mark.long),
        pytest.param("JPEG", "RGB", PhotographReader.read, marks=pytest.mark.long),
    ],
)
async def test_a_large_picture_stays_within_the_limit_and_outside_of_this_process(
    reader: PhotographReader, kind: str, mode: str, task: Any
) -> None:
    content, own = blank(LARGE, kind, mode), psutil.Process()
    await reader.preview(blank(40))
    assert reader.pid is not None
    before, child = own.memory_info().rss, psutil.Process(reader.pid)
    reading = asyncio.create_task(task(reader, content))
    most = 0
    while not reading.done():
        most = max(most, child.memory_info().rss)
        await asyncio.sleep(0.005)
    result = await reading
    assert result is not None
    assert getattr(result, "problem", None) is None
    assert most < MEMORY_MB * 1_000_000
    assert own.memory_info().rss - before < 50_000_000


async def test_a_picture_that_needs_more_memory_is_a_problem_and_the_next_one_is_read() -> None:
    reader = PhotographReader(memory_mb=300)
    try:
        refused = await reader.read(blank(LARGE, mode="RGBA"))
        assert refused.problem
        assert (await reader.preview(blank(40))) is not None
    finally:
        await reader.close()


async def test_a_process_that_dies_costs_one_photograph(reader: PhotographReader) -> None:
    await reader.read(blank(40))
    assert reader.pid is not None
    os.kill(reader.pid, signal.SIGSTOP)
    reading = asyncio.create_task(reader.read(blank(40)))
    await asyncio.sleep(0.05)
    os.kill(reader.pid, signal.SIGKILL)
    died = await reading
    assert (died.problem, died.is_final) == (NO_MEMORY, False)
    assert (await reader.read(blank(40))).problem is None


async def test_the_process_gets_no_secrets(
    reader: PhotographReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-key-123456")
    await reader.preview(blank(40))
    assert reader.pid is not None
    environment = psutil.Process(reader.pid).environ()
    assert "PATH" in environment
    assert not {name for name in environment if name.endswith(("_KEY", "_SECRET"))}


async def test_the_process_ends_when_there_is_nothing_to_read() -> None:
    reader = PhotographReader(idle_seconds=0.05)
    assert await reader.preview(blank(40))
    while reader.pid is not None:
        await asyncio.sleep(0.01)
    assert await reader.preview(blank(40)), "it is started again"
    await reader.close()
    assert reader.pid is None


async def test_a_read_that_is_cancelled_leaves_no_response_for_the_next_one(
    reader: PhotographReader, sample_photos: Path
) -> None:
    await reader.read(blank(40))
    reading = asyncio.create_task(reader.read((sample_photos / "back.jpg").read_bytes()))
    await asyncio.sleep(0.05)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert (await reader.read(blank(40))).text == []


def test_a_large_upload_is_checked_elsewhere() -> None:
    content = blank(LARGE, "JPEG")
    before = psutil.Process().memory_info().rss
    assert checked_media_type(content) == "image/jpeg"
    damaged = content[: len(content) // 2]
    with pytest.raises(UnreadableImage):
        checked_media_type(damaged)
    assert psutil.Process().memory_info().rss - before < 50_000_000
