"""What a played model sends, read by nobody but httpx: the least that a token can be late.

python -m bench.pipe URL KEY …
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

import httpx


async def _read(client: httpx.AsyncClient, url: str, key: str) -> tuple[float, list[float]]:
    began, arrivals = time.monotonic(), []
    body = {"messages": [{"role": "user", "content": f"[{key}]"}], "stream": True}
    async with client.stream("POST", f"{url}/v1/chat/completions", json=body) as answer:
        async for line in answer.aiter_lines():
            if '"content": "' in line and '"content": ""' not in line:
                arrivals.append(time.monotonic())
    return began, arrivals


async def main(url: str, keys: list[str]) -> None:
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(limits=limits, timeout=60) as client:
        readings = await asyncio.gather(*[_read(client, url, key) for key in keys])
    print(json.dumps(dict(zip(keys, readings, strict=True))))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
