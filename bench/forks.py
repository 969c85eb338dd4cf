"""Resuming a fork of which one branch failed: what runs again, beside the whole run."""

from __future__ import annotations

import asyncio
import operator
import time
from pathlib import Path
from typing import Annotated, Any, TypedDict
from uuid import UUID

from bench.figures import Figure, median
from bench.sample import create_note, sample_platform
from whence.app import build
from whence.app.platform import Platform
from whence.kernel.errors import Invalid
from whence.research import runs
from whence.research.context import RunContext
from whence.research.flow import Flow
from whence.research.shape import Fork, Send

BRANCHES = 40
BRANCH_SECONDS = 0.2
ROUNDS = 5


class State(TypedDict, total=False):
    subject_id: str
    read: Annotated[list[int], operator.add]


class Calls:
    """How often nodes ran, and whether the last branch fails."""

    count = 0
    fails = True


async def begin(state: State, run: RunContext) -> State:
    Calls.count += 1
    return {}


def each_part(state: State) -> list[Send]:
    return [Send("read_part", {"part": part}, f"Part {part}") for part in range(BRANCHES)]


async def read_part(state: Any, run: RunContext) -> State:
    """Wait as for an answer from outside; the last part's is refused at first."""
    Calls.count += 1
    await asyncio.sleep(BRANCH_SECONDS)
    if state["part"] == BRANCHES - 1 and Calls.fails:
        raise Invalid("This part cannot be read.")
    return {"read": [state["part"]]}


async def conclude(state: State, run: RunContext) -> State:
    Calls.count += 1
    return {}


FLOW = Flow(
    "bench",
    "1",
    "notes",
    State,
    (begin, read_part, conclude),
    (("read_part", "conclude"),),
    branches=(Fork("begin", each_part, ("read_part",)),),
    joins=("conclude",),
)


async def _ended(platform: Platform, run_id: UUID, wanted: str) -> float:
    """Wait until the run has this status; the moment at which it was seen."""
    while True:
        async with platform.unit(platform.owner) as session:
            status = (await runs.get(session, run_id)).status
        if status == wanted:
            return time.perf_counter()
        await asyncio.sleep(0.01)


async def _round(platform: Platform, subject_id: UUID) -> tuple[float, int, float, int]:
    """Seconds and nodes: of the run until it failed, and of its resumption."""
    Calls.count, Calls.fails = 0, True
    began = time.perf_counter()
    async with platform.unit(platform.owner) as session:
        kind = platform.kind("notes")
        run = await runs.request(session, platform.queue, platform.owner, kind, FLOW, subject_id)
    whole = await _ended(platform, run.id, "error") - began
    nodes, Calls.count, Calls.fails = Calls.count, 0, False
    began = time.perf_counter()
    async with platform.unit(platform.owner) as session:
        await runs.resume(session, platform.queue, platform.owner, run.id)
    return whole, nodes, await _ended(platform, run.id, "success") - began, Calls.count


async def measure(home: Path) -> list[Figure]:
    """Medians of the resumption, each beside the run that did all branches."""
    async with sample_platform(home, FLOW) as platform:
        row = await create_note(platform)
        async with build.worker(platform):
            await asyncio.sleep(1)
            rounds = [await _round(platform, row.id) for _ in range(ROUNDS)]
    whole, nodes, resumed, again = (median(each) for each in zip(*rounds, strict=True))
    name = f"resuming a fork of {BRANCHES} branches, one of which failed"
    return [
        Figure(name, resumed * 1000, "ms", "the whole run", whole * 1000),
        Figure(f"{name}: nodes", again, "nodes", "the whole run", nodes),
    ]
