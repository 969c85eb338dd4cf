"""Conversations about researched records, as people hold them from outside."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import httpx
import psutil

from bench.search import listings
from bench.server import Server, command

RECORDS = 20
LISTINGS = 3_000
RESEARCH_SECONDS = 60
SECONDS = 100
"""For the people of one shape."""


def researched(server: Server, client: httpx.Client, home: Path) -> list[str]:
    """Ids of items whose research has ended."""
    rows = listings(LISTINGS)
    path = home.parent / "listings.jsonl"
    path.write_text("\n".join(row.model_dump_json(by_alias=True) for row in rows), "utf-8")
    command(home, "import", "resale.listings", str(path))
    items: list[str] = []
    jobs: list[str] = []
    for row in rows[:: LISTINGS // RECORDS][:RECORDS]:
        item = client.post("/api/items", json={"title": row.title}).raise_for_status().json()
        response = client.post(f"/api/items/{item['id']}/research", json={}).raise_for_status()
        items.append(item["id"])
        jobs.append(f"/api/items/{item['id']}/research/jobs/{response.json()['jobId']}")
    latest = time.monotonic() + RESEARCH_SECONDS
    for job in jobs:
        while client.get(job).raise_for_status().json()["status"] != "success":
            if time.monotonic() > latest:
                raise RuntimeError(f"the research of {server.url}{job} does not end")
            time.sleep(0.2)
    return items


def opened(client: httpx.Client, items: list[str], count: int) -> dict[str, str]:
    """So many new conversations about these items: their ids, each with its item."""
    opened: dict[str, str] = {}
    for number in range(count):
        item = items[number % len(items)]
        session = client.post(f"/api/items/{item}/chat/sessions").raise_for_status().json()
        opened[session["sessionId"]] = item
    return opened


def client_of(server: Server) -> httpx.Client:
    headers = {"Authorization": f"Bearer {server.token}"}
    return httpx.Client(base_url=server.url, headers=headers, timeout=30)


def talk(server: Server, shape: str, messages: Mapping[str, list[str]]) -> list[dict[str, Any]]:
    plan = {"url": server.url, "token": server.token, "shape": shape, "said": messages}
    done = subprocess.run(
        [sys.executable, "-m", "bench.people"],
        input=json.dumps(plan),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=SECONDS,
    )
    return json.loads(done.stdout)


def cpu_of(server: Server) -> float:
    """Seconds of a processor that the serving process has used."""
    used = psutil.Process(server.pid).cpu_times()
    return used.user + used.system


def milliseconds(turns: Iterable[dict[str, Any]], until: str) -> list[float]:
    """From the sending of each message until a moment of its turn."""
    return [(turn[until] - turn["sent"]) * 1000 for turn in turns]
