"""Forks worker processes from the one that has everything imported (`tests/nursery.py`).

One line of JSON is an order; the answer is the new process' id.  What is forked works as
`whence worker` does and may be killed, stopped and continued as any process.  At the end of stdin
all of them are killed, so that no worker outlives its tests.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import traceback
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import psutil

from faults import flows, forked, market, points
from whence.app import build, discovery
from whence.kernel import log
from whence.kernel.settings import Settings
from whence.research.versions import Flows


@dataclass(frozen=True)
class Order:
    """What a worker is to do: its settings, its flow, and where it strikes itself with what."""

    env: dict[str, str]
    file: str
    """Touched when it comes to `point`; with `.ready` added, when it works."""
    flow: str = "scripted"
    """`paid`, `scripted`, `forked` or `shipped`; `api` serves the API in place of working."""
    url: str = ""
    """Where the flow `paid` finds its market."""
    point: str = ""
    signal: str = "KILL"
    changes: dict[str, Any] = field(default_factory=dict)
    """Constants of the engine to change, by `module.NAME`."""

    def line(self) -> str:
        return json.dumps(asdict(self)) + "\n"


def flow_of(order: Order) -> Any:
    """The flow that the order names; None for the pack's own."""
    offered = {
        "paid": lambda: flows.paid(order.url),
        "scripted": flows.scripted,
        "forked": forked.forked,
    }
    return offered.get(order.flow, lambda: None)()


async def work(order: Order) -> None:
    """Work, or serve the API, until told to stop."""
    async with build.platform(Settings()) as platform:
        if order.flow == "api":
            from whence.transports.serve import serve as serve_api

            ready = Path(order.file).with_suffix(".ready")
            await serve_api(platform, "127.0.0.1", 0, lambda url: _write(ready, url))
            return
        flow = flow_of(order)
        working = replace(platform, flows=Flows([flow])) if flow else platform
        async with build.worker(working) as task:
            Path(order.file).with_suffix(".ready").touch()
            await asyncio.shield(task)


def _write(file: Path, text: str) -> None:
    """At once, for whoever waits for the file."""
    draft = file.with_suffix(".draft")
    draft.write_text(text)
    draft.rename(file)


async def guarded(order: Order) -> None:
    task = asyncio.ensure_future(work(order))

    def terminate() -> None:
        if not task.cancelling():
            task.cancel()

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, terminate)
    await task


def live(order: Order) -> None:
    """The life of a forked process."""
    os.environ.update(order.env)
    log.configure("error")
    for name, value in order.changes.items():
        module, _, constant = name.rpartition(".")
        setattr(sys.modules[module], constant, value)
    if order.point:
        points.arm(order.point, points.number_of(order.signal), Path(order.file))
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(guarded(order))


def load_sample() -> None:
    """What every worker of these tests needs, besides what is loaded already."""
    os.environ["OPENAI_API_KEY"] = market.KEY
    discovery.discover([Path(__file__).parents[1] / "fixtures"])


def serve() -> None:
    """Take orders until stdin ends."""
    load_sample()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the children
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.close(0)
            try:
                live(Order(**json.loads(line)))
            except Exception:  # noqa: BLE001 (the edge of a process)
                traceback.print_exc()
            finally:
                os._exit(0)
        print(child, flush=True)
    # Those that are there now: the number of one that has ended is soon another process'.
    for one in psutil.Process().children():
        one.kill()
