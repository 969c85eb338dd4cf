"""Idle memory of `whence serve` (API and worker): before any photograph, and after large ones."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import httpx
import psutil
from PIL import Image

from bench.figures import Figure
from bench.server import Server, command, serving

SETTLE_SECONDS = 5
PHOTOGRAPHS, SIDE = 4, 7_000
"""Blank pictures just within the limit of pixels; they once took 1.4 GB, which stayed."""
READ_SECONDS = 300
MOST_MB = 300.0
"""Megabytes that an idle process may have after reading them."""


def measure(home: Path) -> list[Figure]:
    """Resident megabytes of the serving process, beside a bare FastAPI process."""
    bare = "import fastapi, uvicorn, psutil; print(psutil.Process().memory_info().rss / 1e6)"
    baseline = subprocess.run(
        [sys.executable, "-c", bare], check=True, capture_output=True, text=True
    ).stdout
    _import_photographs(home)
    with serving(home) as server:
        httpx.get(f"{server.url}/healthz").raise_for_status()
        time.sleep(SETTLE_SECONDS)
        process = psutil.Process(server.pid)
        before = process.memory_info().rss / 1e6
        _research(server)
        time.sleep(SETTLE_SECONDS)
        after = process.memory_info().rss / 1e6
    name = "idle memory of whence serve, resident"
    return [
        Figure(name, before, "MB", "a process that imported FastAPI", float(baseline)),
        Figure(f"{name}, after {PHOTOGRAPHS} large photographs", after, "MB", target=MOST_MB),
    ]


def _import_photographs(home: Path) -> None:
    folder = home.parent / "photographs"
    folder.mkdir()
    names = [f"{number}.png" for number in range(PHOTOGRAPHS)]
    for number, name in enumerate(names):
        Image.new("RGB", (SIDE, SIDE), (255 - number, 255, 255)).save(folder / name)
    items = folder / "items.csv"
    items.write_text(f"id,title,photos\nA,Corvane lamp,{'|'.join(names)}\n", encoding="utf-8")
    command(home, "import", "resale.items", str(items))


def _research(server: Server) -> None:
    """Research the item with the photographs, to its end."""
    headers = {"Authorization": f"Bearer {server.token}"}
    with httpx.Client(base_url=server.url, headers=headers, timeout=60) as client:
        job = client.post("/api/items/A/research").raise_for_status().json()["jobId"]
        until = time.monotonic() + READ_SECONDS
        while not client.get(f"/api/items/A/research/jobs/{job}").json()["completedAt"]:
            if time.monotonic() > until:
                raise TimeoutError("the photographs were not read in time")
            time.sleep(1)
