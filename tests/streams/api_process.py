"""One API process without a worker: prints its address, then serves until it is killed."""

from __future__ import annotations

import asyncio
import sys

from whence.app import build
from whence.kernel.settings import Settings
from whence.transports.serve import serve


async def run(port: int) -> None:
    async with build.platform(Settings()) as platform:
        await serve(platform, "127.0.0.1", port, lambda url: print(url, flush=True))


asyncio.run(run(int(sys.argv[1])))
