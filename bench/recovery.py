"""From a crash to the next attempt: workers are killed with SIGKILL, with the settings as shipped.

python -m bench.recovery        works as one of the workers that are killed
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import threading
import time
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import TypedDict
from uuid import UUID

from bench.figures import Figure, median, p95
from whence.app import build
from whence.app.platform import Platform
from whence.kernel.settings import Settings
from whence.records import store
from whence.research import runs
from whence.research.context import RunContext
from whence.research.flow import Flow
from whence.research.versions import Flows

KILLS = 20
TARGET_SECONDS = 15.0
SAMPLE_PACKS = Path(__file__).parents[1] / "tests" / "fixtures"
READY = b"ready\n"
SEED = 7


class Kept(TypedDict, total=False):
    subject_id: str
    first: bool


async def first(state: Kept, run: RunContext) -> Kept:
    return {"first": True}


async def wait(state: Kept, run: RunContext) -> Kept:
    """Be under way when the worker is killed; the next attempt goes through."""
    await asyncio.sleep(3600 if run.attempt.number == 1 else 0)
    return {}


FLOW = Flow("research", "1", "notes", Kept, (first, wait), (("first", "wait"),))


async def measure(home: Path) -> list[Figure]:
    """Seconds from the kill of a worker to the start of its run's next attempt elsewhere."""
    settings = Settings(home=home, pack_dirs=[SAMPLE_PACKS], database_url=None)
    draw = random.Random(SEED)
    async with build.platform(settings) as platform:
        took: list[float] = []
        worker = await _started(home)
        try:
            for _ in range(KILLS):
                run_id = await _request_run(platform)
                heir, _ = await asyncio.gather(_started(home), _until(platform, run_id, "wait", 1))
                # Anywhere between two heartbeats, and between two sweeps.
                await asyncio.sleep(draw.uniform(0, settings.heartbeat_seconds))
                killed_at = time.time()
                worker.kill()
                await worker.wait()
                took.append(await _until(platform, run_id, "wait", 2) - killed_at)
                worker = heir
        finally:
            worker.send_signal(signal.SIGTERM)
            await worker.wait()
    silence = settings.stalled_seconds
    shown = {"p50": median(took), "p95": p95(took), "max": max(took)}
    return [
        Figure(
            f"crash to resumed, {name} of {KILLS} kills",
            value,
            "s",
            "the silence that counts as a death",
            silence,
            target=TARGET_SECONDS if name == "p95" else None,
        )
        for name, value in shown.items()
    ]


async def _request_run(platform: Platform) -> UUID:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        note = kind.record.model_validate({"title": "bench", "text": "bench"})
        row = await store.create(session, platform.owner, kind, note)
        run = await runs.request(session, platform.queue, platform.owner, kind, FLOW, row.id)
    return run.id


async def _until(platform: Platform, run_id: UUID, node: str, attempt: int) -> float:
    """When this attempt began this node, by the database's clock."""
    async for batch in platform.bus.tail(platform.owner.org_id, run_id):
        for event in batch:
            here = event.payload.get("node"), event.payload.get("attempt")
            if event.type == "node_started" and here == (node, attempt):
                return event.at.timestamp()
    raise RuntimeError("the stream of the run ended")


async def _started(home: Path) -> asyncio.subprocess.Process:
    """A worker process that works."""
    variables = {
        name: value for name, value in os.environ.items() if not name.startswith("WHENCE_")
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bench.recovery",
        env=variables | {"WHENCE_HOME": str(home), "WHENCE_PACK_DIRS": str(SAMPLE_PACKS)},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    if await process.stdout.readline() != READY:
        raise RuntimeError("a worker ended before it worked")
    return process


async def _work() -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    async with AsyncExitStack() as stack:
        platform = await stack.enter_async_context(build.platform(Settings()))
        working = replace(platform, flows=Flows([FLOW]))
        task = await stack.enter_async_context(build.worker(working))
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        sys.stdout.buffer.write(READY)
        sys.stdout.flush()
        await asyncio.wait([task])


def _end_with_parent() -> None:
    """No worker outlives the benchmark, however that ends."""
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    asyncio.run(_work())
