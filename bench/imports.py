"""An import of 200 MB, beside one of 20 MB: seconds, and the memory of the process that does it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

from bench.figures import Figure

SMALL_MB, LARGE_MB = 20, 200
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


async def work(home: Path, path: Path) -> tuple[float, float]:
    """Import the file; seconds, and the most megabytes that this process held meanwhile."""
    import psutil

    from whence.app import build
    from whence.kernel.settings import Settings
    from whence.records.imports.importer import ImportContext

    process, most = psutil.Process(), 0.0

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, process.memory_info().rss / 1e6)
            await asyncio.sleep(0.1)

    async with build.platform(Settings(home=home, pack_dirs=[SAMPLE_PACKS])) as platform:
        watching = asyncio.create_task(watch())
        began = time.perf_counter()
        context = ImportContext(platform.owner, platform.db, platform.settings)
        report = await platform.importer(IMPORTER).run(context, path)
        seconds = time.perf_counter() - began
        watching.cancel()
        assert report.refused_count == 0
    return seconds, most


def _measured(home: Path, path: Path) -> tuple[float, float]:
    """In a process of its own: memory that an earlier import left must not count."""
    command = [sys.executable, "-m", "bench.imports", str(home), str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=dict(os.environ))
    seconds, megabytes = done.stdout.split()[-2:]
    return float(seconds), float(megabytes)


def measure(home: Path) -> list[Figure]:
    """Seconds for each 100,000 rows, and resident megabytes at their highest."""
    rates: list[float] = []
    tops: list[float] = []
    for megabytes in (SMALL_MB, LARGE_MB):
        path = home.parent / f"{megabytes}.csv"
        rows = write(path, megabytes)
        seconds, most = _measured(home.parent / f"home-{megabytes}", path)
        print(f"  {megabytes} MB, {rows} rows: {seconds:.1f} s, at most {most:.0f} MB", flush=True)
        rates.append(seconds / rows * 100_000)
        tops.append(most)
        path.unlink()
    small, large = f"{SMALL_MB} MB of CSV", f"{LARGE_MB} MB of CSV"
    return [
        Figure(f"import of {large}, 100,000 rows", rates[1], "s", small, rates[0]),
        Figure(f"import of {large}, highest memory", tops[1], "MB", small, tops[0]),
    ]


if __name__ == "__main__":
    print(*asyncio.run(work(Path(sys.argv[1]), Path(sys.argv[2]))))
