"""A program of a host: its console, its API or its worker.

python host_program.py console DATABASE_URL | api FILE | worker FILE

The console answers questions about rows and asks the API of its host, one JSON line each.  The API
writes a token of the local owner to FILE once it listens, the worker a word once it works.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Any

from faults.rows import Rows

API_PORT = 8000


def console(url: str) -> None:
    """Answer lines until stdin ends."""
    rows = Rows(url)
    for line in sys.stdin:
        question = json.loads(line)
        match question["what"]:
            case "rows":
                answer: Any = rows.all(question["query"], *question["values"])
            case "faults":
                answer = rows.faults(question["run"])
            case "of_run":
                answer = rows.of_run(question["run"])
            case _:
                answer = _http(question)
        print(json.dumps(answer, default=str), flush=True)


def _http(call: dict[str, Any]) -> Any:
    body = json.dumps(call["body"]).encode() if call["body"] is not None else None
    request = urllib.request.Request(
        f"http://127.0.0.1:{API_PORT}{call['path']}",
        body,
        {"Authorization": f"Bearer {call['token']}", "Content-Type": "application/json"},
        method="POST" if body else "GET",
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return json.load(error)


async def api(file: Path) -> None:
    """The API on loopback."""
    from whence.app import build
    from whence.kernel.settings import Settings
    from whence.tenancy import tokens
    from whence.transports.serve import serve

    async with build.platform(Settings(), patient=True) as platform:
        token = await tokens.issue(platform.db, platform.owner, "test")
        await serve(platform, "127.0.0.1", API_PORT, lambda _: _say(file, token))


async def worker(file: Path) -> None:
    """A worker on the flow `scripted`."""
    from faults import flows
    from whence.app import build
    from whence.kernel.settings import Settings
    from whence.research.versions import Flows

    async with build.platform(Settings(), patient=True) as platform:
        reported = replace(platform, flows=Flows([flows.scripted()]))
        async with build.worker(reported) as task:
            _say(file, "works")
            await asyncio.shield(task)


def _say(file: Path, word: str) -> None:
    draft = file.with_suffix(".draft")
    draft.write_text(word)
    draft.rename(file)


async def until_told(program: Any) -> None:
    task = asyncio.ensure_future(program)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    await asyncio.wait([task])


if __name__ == "__main__":
    kind, where = sys.argv[1:]
    if kind == "console":
        console(where)
    else:
        asyncio.run(until_told({"api": api, "worker": worker}[kind](Path(where))))
