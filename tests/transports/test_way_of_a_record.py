"""How many modules one record passes through, from its file to the answer over REST.

Whoever reads or mends one of these ways has to open so many files: the numbers may fall, not grow.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import httpx
import pytest

import whence
from whence.app import build
from whence.app.platform import Platform
from whence.research.runner import Runner

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]
ROOT = Path(whence.__file__).parent
FILE = b"id,title,text\nn1,A note,one two three\nn2,Another,four five\n"
BESIDE = ("app/build", "chat/", "work/schedules/", "work/job", "work/worker", "db/listen")
"""What the process does of its own at the same time: it listens, and a worker starts."""
MOST = {"import": 44, "request": 40, "run": 48, "reading": 32}
"""Three above what was counted when this was written: other tasks of the process enter some."""


@contextmanager
def modules_entered() -> Generator[set[str]]:
    """The modules of whence of which a function was called, by any thread."""
    entered: set[str] = set()
    codes: set[int] = set()

    def hook(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and id(code) not in codes:
            codes.add(id(code))
            path = Path(code.co_filename)
            if code.co_name != "<module>" and path.is_relative_to(ROOT):
                entered.add(path.relative_to(ROOT).with_suffix("").as_posix())

    threading.setprofile(hook)
    sys.setprofile(hook)
    try:
        yield entered
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


async def run(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What the attempt at the run that waits enters, apart from the worker that takes it."""
    attempt = Runner.attempt
    observed_scopes: asyncio.Future[set[str]] = asyncio.get_running_loop().create_future()

    async def observed(*args: Any, **kwargs: Any) -> None:
        with modules_entered() as entered:
            await attempt(*args, **kwargs)
        observed_scopes.set_result(entered)

    monkeypatch.setattr(Runner, "attempt", observed)
    async with build.worker(platform), asyncio.timeout(60):
        return await observed_scopes


async def test_the_ways_of_a_record_stay_short(
    owner: httpx.AsyncClient, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    ways: dict[str, set[str]] = {}
    with modules_entered() as ways["import"]:
        sent = await owner.post(
            "/api/imports/sample_pack.notes", params={"filename": "notes.csv"}, content=FILE
        )
    assert (sent.status_code, sent.json()["added"]) == (200, 2), sent.text
    record = (await owner.get("/api/notes")).json()["items"][0]
    with modules_entered() as ways["request"]:
        request = await owner.post(f"/api/notes/{record['id']}/research", json={})
    assert request.status_code == 202, request.text
    ways["run"] = await run(platform, monkeypatch)
    with modules_entered() as ways["reading"]:
        read = await owner.get(f"/api/notes/{record['id']}/research/latest")
    assert read.json()["body"], read.text
    ways = {
        way: {each for each in entered if not each.startswith(BESIDE)}
        for way, entered in ways.items()
    }
    counted = {way: len(entered) for way, entered in ways.items()}
    for way, entered in ways.items():
        print(way, len(entered), *sorted(entered), sep="\n  ")
    assert all(counted[way] <= most for way, most in MOST.items()), counted
