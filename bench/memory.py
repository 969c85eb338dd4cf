"""Idle memory of `whence serve` (API and worker) before any photograph was read."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import httpx
import psutil

from bench.figures import Figure
from bench.server import serving

SETTLE_SECONDS = 5


def measure(home: Path) -> list[Figure]:
    """Resident megabytes of the serving process, beside a bare FastAPI process."""
    with serving(home) as server:
        httpx.get(f"{server.url}/healthz").raise_for_status()
        time.sleep(SETTLE_SECONDS)
        megabytes = psutil.Process(server.pid).memory_info().rss / 1e6
    bare = "import fastapi, uvicorn, psutil; print(psutil.Process().memory_info().rss / 1e6)"
    baseline = subprocess.run(
        [sys.executable, "-c", bare], check=True, capture_output=True, text=True
    ).stdout
    name = "idle memory of whence serve, resident"
    return [Figure(name, megabytes, "MB", "a process that imported FastAPI", float(baseline))]
