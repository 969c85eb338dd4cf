"""Stopping a command: the run is handed back, nothing is left running, the next one continues."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest


def left_behind(home: Path) -> list[str]:
    """Command lines of live processes that name this home."""
    faults: list[str] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            if str(home) in line:
                faults.append(line)
    return faults


def run_of(shell: Any, column: str) -> str | None:
    with psycopg.connect(shell.env["WHENCE_DATABASE_URL"]) as connection:
        row = connection.execute(
            f"SELECT {column} FROM whence.runs JOIN whence.work USING (org_id, id)"
        ).fetchone()
        return row[0] if row else None


def slow_source(silent: socket.socket) -> dict[str, str]:
    """An eBay that takes every connection and never answers."""
    return {
        "WHENCE_RESALE_EBAY_CLIENT_ID": "app",
        "WHENCE_RESALE_EBAY_CLIENT_SECRET": "secret",
        "WHENCE_RESALE_EBAY_BASE_URL": f"http://127.0.0.1:{silent.getsockname()[1]}",
    }


def stopped(process: Any, number: signal.Signals, code: int) -> None:
    """Send the signal; the process ends with this code, without a trace, and leaves none behind."""
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert "Traceback" not in err
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@pytest.mark.parametrize(
    ("number", "code"),
    [pytest.param(signal.SIGTERM, 143, marks=pytest.mark.long), (signal.SIGINT, 130)],
)
def test_a_stopped_research_is_handed_back_and_resumed(
    shell: Any, number: signal.Signals, code: int
) -> None:
    shell.sample()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        process = shell.start("research", "items/BP-230", **slow_source(silent))
        late = time.monotonic() + 60
        while run_of(shell, "current_node") != "search_comps" and time.monotonic() < late:
            time.sleep(0.02)
        stopped(process, number, code)
    assert run_of(shell, "status") == "pending"
    again = shell.run("research", "items/BP-230", "--json")
    assert again.returncode == 0, again.stderr
    assert "already running" in again.stderr
    assert json.loads(again.stdout)["body"]["price"]


@pytest.mark.slow
def test_the_demo_ends_well_cold_and_warm_and_leaves_nothing_running(
    shell_without_database: Callable[..., Any], short_home: Path
) -> None:
    shell = shell_without_database(WHENCE_HOME=str(short_home))
    for _ in range(2):
        process = shell.run("demo")
        assert process.returncode == 0, process.stderr
        assert "Price, shipping included" in process.stdout
        assert "[1]" in process.stdout.partition("> What is it worth")[2]  # the answer cites
        assert left_behind(short_home) == []
