"""From the commit of an event to a Socket.IO client in another process."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path
from uuid import UUID

import psycopg

from bench.figures import Figure, median, p95
from bench.server import serving
from whence.app import build
from whence.app.platform import Platform
from whence.events import log
from whence.events.types import Progress
from whence.kernel.settings import Settings
from whence.records import store
from whence.research import runs

EVENTS = 200
SPACING_SECONDS = 0.02
CLIENT = """
import asyncio, json, sys, time
import socketio

async def main(url, token, job, wanted):
    client = socketio.AsyncClient()
    seen = {}
    done = asyncio.Event()
    def progress(data):
        seen[data["message"]] = time.time()
        if len(seen) == wanted:
            done.set()
    client.on("progress", progress, namespace="/research")
    await client.connect(url, namespaces=["/research"], auth={"token": token})
    await client.call("subscribe_job", {"jobId": job}, namespace="/research")
    print("ready", flush=True)
    await asyncio.wait_for(done.wait(), 60)
    print(json.dumps(seen), flush=True)
    await client.disconnect()

asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
"""


async def _commit_events(platform: Platform, run_id: UUID) -> dict[str, float]:
    committed: dict[str, float] = {}
    for number in range(EVENTS):
        message = f"event {number}"
        async with platform.unit(platform.owner) as session:
            await log.append(session, run_id, Progress(node="bench", message=message))
        committed[message] = time.time()
        await asyncio.sleep(SPACING_SECONDS)
    return committed


async def _pending_run(platform: Platform) -> UUID:
    kind = platform.kind("items")
    async with platform.unit(platform.owner) as session:
        item = kind.record.model_validate({"title": "bench item"})
        row = await store.create(session, platform.owner, kind, item)
        flow = platform.flow("items", None)
        run = await runs.request(session, platform.queue, platform.owner, kind, flow, row.id)
    return run.id


async def _notify(url: str) -> list[float]:
    """Milliseconds from commit to a bare LISTEN connection: what PostgreSQL itself needs."""
    took: list[float] = []
    async with (
        await psycopg.AsyncConnection.connect(url, autocommit=True) as listener,
        await psycopg.AsyncConnection.connect(url, autocommit=True) as speaker,
    ):
        await listener.execute("LISTEN whence_bench")
        for _ in range(EVENTS):
            began = time.perf_counter()
            await speaker.execute("NOTIFY whence_bench")
            async for _notice in listener.notifies(stop_after=1):
                took.append((time.perf_counter() - began) * 1000)
    return took


def _client(arguments: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CLIENT, *arguments], stdout=subprocess.PIPE, text=True
    )


async def measure(home: Path) -> list[Figure]:
    """p95 of commit to client; the client's process is started before the first event."""
    with serving(home, "--no-worker") as server:
        async with build.platform(Settings(home=home, database_url=None)) as platform:
            run_id = await _pending_run(platform)
            arguments = [server.url, server.token, str(run_id), str(EVENTS)]
            client = _client(arguments)
            assert client.stdout is not None
            await asyncio.to_thread(client.stdout.readline)
            committed = await _commit_events(platform, run_id)
            seen: dict[str, float] = json.loads(await asyncio.to_thread(client.stdout.readline))
            client.wait(30)
            baseline = await _notify(platform.db.conninfo)
    took = [(seen[key] - at) * 1000 for key, at in committed.items()]
    name = f"event commit to Socket.IO client, p95 of {EVENTS} (median {median(took):.1f})"
    return [Figure(name, p95(took), "ms", "bare LISTEN/NOTIFY, p95", p95(baseline), 50.0)]
