"""`make bench [ONLY=name]`: every benchmark that takes seconds, or those named."""

from __future__ import annotations

import asyncio
import inspect
import os
import sys

from bench import (
    chat,
    engine,
    enqueue,
    forks,
    imports,
    jobs,
    journey,
    latency,
    listing,
    live_page,
    load,
    memory,
    recovery,
    search,
    threads,
    web,
    web_memory,
    wizard,
)
from bench.place import home

ALL = {
    "journey": journey,
    "search": search,
    "enqueue": enqueue,
    "engine": engine,
    "forks": forks,
    "latency": latency,
    "memory": memory,
    "load": load,
    "wizard": wizard,
    "threads": threads,
    "chat": chat,
    "web": web,
}


BY_NAME_ONLY = {
    "recovery": recovery,
    "imports": imports,
    "jobs": jobs,
    "listing": listing,
    "web_memory": web_memory,
    "live_page": live_page,
}
"""Those that take minutes, or need a browser."""


def main(names: list[str]) -> int:
    by_name = ALL | BY_NAME_ONLY
    unknown = set(names) - set(by_name)
    if unknown:
        print(
            f"There is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(by_name)}."
        )
        return 2
    print(f"load of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    for name in names or ALL:
        print(f"{name} ...", flush=True)
        with home() as folder:
            figures = by_name[name].measure(folder)
            for figure in asyncio.run(figures) if inspect.iscoroutine(figures) else figures:
                print(figure.line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
