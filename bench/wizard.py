"""A step of a wizard over REST: sent, kept, replayed, and drawn, as a client waits for it."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import httpx

from bench.figures import Figure, median, p95
from bench.server import Server, serving

PACKS = Path(__file__).parents[1] / "tests" / "fixtures"
WIZARD = "sample_pack.write"
RUNS = 40
"""Runs one after the other; each has eight steps of an answer."""
PEOPLE = 10
"""At once, each with runs of their own."""
WANTED_MS = 50.0
LONG = {"title": "Tea", "length": "long"}
SHORT = {"title": "Tea", "length": "short"}
ANSWERS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("about", LONG),
    ("outline", {"points": ["water", "leaves"]}),
    ("words", {"text": "It is ready."}),
    ("about", SHORT),
    ("author", {"author": "Ada"}),
    ("about", LONG),
    ("outline", {"points": ["water", "leaves", "time"]}),
    ("review", {}),
)
"""A way through with answers changed on it, so that histories have some length."""


async def _way(client: httpx.AsyncClient) -> list[float]:
    runs = f"/api/wizards/{WIZARD}/runs"
    shown = (await client.post(runs)).raise_for_status().json()
    took: list[float] = []
    for step, responses in ANSWERS:
        body = {"stepId": step, "responses": responses, "revision": shown["revision"]}
        began = time.perf_counter()
        answer = await client.post(f"{runs}/{shown['wizardRunId']}", json=body)
        took.append((time.perf_counter() - began) * 1000)
        shown = answer.raise_for_status().json()
    if shown["progress"]["status"] != "completed":
        raise RuntimeError(f"the wizard stands at '{shown['step']['id']}'")
    return took


async def _measured_rounds(server: Server) -> tuple[list[float], list[float], list[float]]:
    headers = {"Authorization": f"Bearer {server.token}"}
    async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=30) as client:
        await _way(client)
        alone = [took for _ in range(RUNS) for took in await _way(client)]
        crowd = [
            took
            for _ in range(RUNS // PEOPLE)
            for one in await asyncio.gather(*[_way(client) for _ in range(PEOPLE)])
            for took in one
        ]
        listed: list[float] = []
        for _ in range(RUNS):
            began = time.perf_counter()
            (await client.get("/api/wizards")).raise_for_status()
            listed.append((time.perf_counter() - began) * 1000)
    return alone, crowd, listed


def measure(home: Path) -> list[Figure]:
    """p95 of a step, alone and with several people answering at once."""
    with serving(home, WHENCE_PACK_DIRS=str(PACKS), WHENCE_REQUESTS_PER_MINUTE="1000000") as server:
        alone, crowd, listed = asyncio.run(_measured_rounds(server))
    base = "a request that reads no row, median"
    name = f"wizard step over REST, p95 of {len(alone)} (median {median(alone):.1f})"
    busy = f"the same with {PEOPLE} people at once (median {median(crowd):.1f})"
    return [
        Figure(name, p95(alone), "ms", base, median(listed), WANTED_MS),
        Figure(busy, p95(crowd), "ms", base, median(listed)),
    ]
