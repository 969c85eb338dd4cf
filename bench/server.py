"""A real `whence serve` in a process of its own, for benchmarks from outside."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

WHENCE = Path(sys.executable).with_name("whence")
START_SECONDS = 60


@dataclass(frozen=True)
class Server:
    """Its address, its process, and a token for its API."""

    url: str
    pid: int
    token: str


def command(home: Path, *arguments: str) -> str:
    """Run one `whence` command on this home; what it printed."""
    return subprocess.run(
        [WHENCE, *arguments], env=environment(home), check=True, capture_output=True, text=True
    ).stdout.strip()


@contextmanager
def serving(home: Path, *arguments: str, **settings: str) -> Iterator[Server]:
    """`whence serve` on a free port with these settings; stopped with SIGTERM at the end."""
    process = subprocess.Popen(
        [WHENCE, "serve", "--port", "0", *arguments],
        env=environment(home) | settings,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if match := re.search(r"listening on (http://\S+)", line):
                yield Server(match[1], process.pid, command(home, "token", "create", "bench"))
                return
        raise RuntimeError("whence serve ended before it listened")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(START_SECONDS)


def environment(home: Path) -> dict[str, str]:
    """The environment of a process of this home, without a developer's own settings."""
    variables = {
        name: value for name, value in os.environ.items() if not name.startswith("WHENCE_")
    }
    return variables | {"WHENCE_HOME": str(home)}
