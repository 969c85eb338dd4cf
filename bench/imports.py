"""An import of 200 MB, beside one of 20 MB: seconds, and the memory of the process that does it.

Each is done twice: by the command line's way in, and uploaded to a server whose worker imports it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import httpx
import psutil

from bench.figures import Figure
from bench.server import serving
from whence.app import build
from whence.kernel.settings import Settings
from whence.records.imports.importer import ImportContext

SMALL_MB, LARGE_MB = 20, 200
SECONDS_AT_REST = 1.0
"""How long the server's memory is looked at before an upload."""
IMPORTER = "sample_pack.notes"
SAMPLE_PACKS = Path(__file__).parent.parent / "tests" / "fixtures"


def write(path: Path, megabytes: int) -> int:
    """A CSV file of about that size; its rows."""
    words = "grey words that fill a line of an ordinary spreadsheet and say little " * 4
    rows = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("id,title,text\n")
        while file.tell() < megabytes * 1_000_000:
            for _ in range(1_000):
                rows += 1
                file.write(f"n{rows},Note number {rows},{words}{rows}\n")
    return rows


class Memory:
    """The most megabytes that a process held since it was last asked."""

    def __init__(self, pid: int) -> None:
        self._process, self._most = psutil.Process(pid), 0.0
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        with contextlib.suppress(psutil.NoSuchProcess):
            while True:
                self._most = max(self._most, self._process.memory_info().rss / 1e6)
                time.sleep(0.1)

    def most(self) -> float:
        most, self._most = self._most, 0.0
        return most


async def work(home: Path, path: Path) -> tuple[float, float]:
    """Import the file; seconds, and the most megabytes that this process held meanwhile."""
    async with build.platform(Settings(home=home, pack_dirs=[SAMPLE_PACKS])) as platform:
        memory = Memory(os.getpid())
        began = time.perf_counter()
        context = ImportContext(platform.owner, platform.db, platform.settings)
        report = await platform.importer(IMPORTER).run(context, path)
        assert report.refused_count == 0
        return time.perf_counter() - began, memory.most()


def _uploaded(home: Path, path: Path) -> tuple[float, float]:
    """As `work`, by a server: from the first byte of the upload to the import's end."""
    with serving(home, WHENCE_PACK_DIRS=str(SAMPLE_PACKS)) as server:
        headers = {"Authorization": f"Bearer {server.token}"}
        with httpx.Client(base_url=server.url, headers=headers, timeout=600) as http:
            memory = Memory(server.pid)
            time.sleep(SECONDS_AT_REST)
            at_rest, began = memory.most(), time.perf_counter()
            with path.open("rb") as file:
                at = f"/api/imports/{IMPORTER}/files"
                answer = http.post(at, params={"filename": path.name}, content=file)
            import_id = answer.raise_for_status().json()["id"]
            uploading = memory.most()
            print(f"  {path.name}: {at_rest:.0f} MB at rest, {uploading:.0f} MB while uploaded")
            while (report := http.get(f"/api/imports/{import_id}").json())["endedAt"] is None:
                time.sleep(0.5)
            assert report["status"] == "done", report
            return time.perf_counter() - began, max(uploading, memory.most())


def _measured(home: Path, path: Path) -> tuple[float, float]:
    """In a process of its own: memory that an earlier import left must not count."""
    command = [sys.executable, "-m", "bench.imports", str(home), str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=dict(os.environ))
    seconds, megabytes = done.stdout.split()[-2:]
    return float(seconds), float(megabytes)


Way = Callable[[Path, Path], tuple[float, float]]
NAMES: Mapping[Way, str] = {_measured: "imported", _uploaded: "uploaded"}


def measure(home: Path) -> list[Figure]:
    """Seconds for each 100,000 rows, and resident megabytes at their highest."""
    rates: dict[Way, list[float]] = {_measured: [], _uploaded: []}
    tops: dict[Way, list[float]] = {_measured: [], _uploaded: []}
    for megabytes in (SMALL_MB, LARGE_MB):
        path = home.parent / f"{megabytes}.csv"
        rows = write(path, megabytes)
        for way, name in NAMES.items():
            seconds, most = way(home.parent / f"home-{megabytes}-{name}", path)
            figures = f"{seconds:.1f} s, {rows / seconds:.0f} rows a second, at most {most:.0f} MB"
            print(f"  {megabytes} MB {name}, {rows} rows: {figures}", flush=True)
            rates[way].append(seconds / rows * 100_000)
            tops[way].append(most)
        path.unlink()
    small, large = f"{SMALL_MB} MB of CSV", f"{LARGE_MB} MB of CSV"
    return [
        figure
        for way, name in NAMES.items()
        for figure in (
            Figure(f"{large} {name}, 100,000 rows", rates[way][1], "s", small, rates[way][0]),
            Figure(f"{large} {name}, highest memory", tops[way][1], "MB", small, tops[way][0]),
        )
    ]


if __name__ == "__main__":
    print(*asyncio.run(work(Path(sys.argv[1]), Path(sys.argv[2]))))
