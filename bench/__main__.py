"""`make bench [ONLY=name]`: every benchmark, or those named."""

from __future__ import annotations

import asyncio
import inspect
import sys

from bench import engine, journey, latency, memory, search
from bench.place import home

ALL = {
    "journey": journey,
    "search": search,
    "engine": engine,
    "latency": latency,
    "memory": memory,
}


def main(names: list[str]) -> int:
    unknown = set(names) - set(ALL)
    if unknown:
        print(f"There is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(ALL)}.")
        return 2
    for name in names or ALL:
        print(f"{name} ...", flush=True)
        with home() as folder:
            found = ALL[name].measure(folder)
            for figure in asyncio.run(found) if inspect.iscoroutine(found) else found:
                print(figure.line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
