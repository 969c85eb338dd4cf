"""A worker in a process of its own, to be killed.

    python worker_process.py KIND NODE before|after|never FILE

It works like `whence worker`, but where it comes to NODE of the research of KIND it writes FILE
and stays there: before the node has done anything, or after everything it does.
"""

from __future__ import annotations

import asyncio
import functools
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from whence.app import build
from whence.kernel.settings import Settings
from whence.research.flow import Flow, Node
from whence.research.versions import Flows


def staying(node: Node, when: str, file: Path) -> Node:
    @functools.wraps(node)
    async def stays(state: Any, run: Any) -> Any:
        if when == "after":
            await node(state, run)
        file.write_text(node.__name__)
        await asyncio.sleep(600)

    return stays


def with_stay(flow: Flow, name: str, when: str, file: Path) -> Flow:
    if when == "never":
        return flow
    nodes = [staying(n, when, file) if n.__name__ == name else n for n in flow.nodes]
    assert nodes != list(flow.nodes)
    return replace(flow, nodes=tuple(nodes))


async def work(kind: str, name: str, when: str, file: Path) -> None:
    async with build.platform(Settings()) as platform:
        flow = with_stay(platform.flow(kind, None), name, when, file)
        async with build.worker(replace(platform, flows=Flows([flow]))) as task:
            file.with_suffix(".ready").touch()
            await asyncio.shield(task)


async def guarded() -> None:
    task = asyncio.ensure_future(work(sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4])))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    await task


if __name__ == "__main__":
    try:
        asyncio.run(guarded())
    except asyncio.CancelledError:
        sys.exit(143)
