"""What the engine adds to a node: the same graph by the engine and on bare LangGraph."""

from __future__ import annotations

import asyncio
import itertools
import time
from pathlib import Path
from typing import TypedDict

from bench.figures import Figure, median
from bench.sample import create_note, sample_platform
from whence.app import build
from whence.app.platform import Platform
from whence.db.tables import SubjectRow
from whence.research import graph, runs
from whence.research.flow import Flow
from whence.work.queue import JobQueue

NODES = 10
RUNS = 15


class Count(TypedDict, total=False):
    subject_id: str
    count: int


def _node(number: int):
    async def node(state: Count, run: object) -> Count:
        return {"count": state.get("count", 0) + 1}

    node.__name__ = f"node_{number}"
    return node


_NODES = tuple(_node(number) for number in range(NODES))
_NAMES = [node.__name__ for node in _NODES]
FLOW = Flow(
    id="bench",
    version="1",
    kind="notes",
    state=Count,
    nodes=_NODES,
    edges=tuple(itertools.pairwise(_NAMES)),
)


async def _bare() -> float:
    """Milliseconds a node on bare LangGraph, without a checkpointer."""

    def bind(_: str, node):
        async def bound(state: Count) -> Count:
            return await node(state, None)

        return bound

    compiled = graph.build(FLOW, bind).compile()
    took: list[float] = []
    for _ in range(RUNS):
        began = time.perf_counter()
        await compiled.ainvoke({"subject_id": "none"})
        took.append((time.perf_counter() - began) * 1000 / NODES)
    return median(took)


async def _engine(platform: Platform, queue: JobQueue, row: SubjectRow) -> float:
    """Milliseconds a node by the engine: fenced, checkpointed, with events and steps."""
    took: list[float] = []
    kind = platform.kind("notes")
    for _ in range(RUNS):
        async with platform.unit(platform.owner) as session:
            run = await runs.request(session, queue, platform.owner, kind, FLOW, row.id)
        times: list[float] = []
        async for batch in platform.bus.tail(platform.owner.org_id, run.id):
            times += [e.at.timestamp() for e in batch if e.type.startswith("node_")]
            if batch[-1].type == "job_complete":
                break
        took.append((times[-1] - times[0]) * 1000 / NODES)
    return median(took)


async def measure(home: Path) -> list[Figure]:
    """Median engine cost of a node, less what bare LangGraph needs for it."""
    async with sample_platform(home, FLOW) as platform:
        row = await create_note(platform)
        async with build.worker(platform):
            await asyncio.sleep(1)
            bare = await _bare()
            engine = await _engine(platform, platform.queue, row)
    name = f"engine, a node ({NODES} nodes, {RUNS} runs), less bare"
    return [Figure(name, engine - bare, "ms", "bare LangGraph, a node", bare, target=6.0)]
