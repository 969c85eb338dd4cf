"""The main job from outside: POST research of an item, wait for `job_complete` on Socket.IO."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import httpx
import socketio

from bench.figures import Figure, median
from bench.search import listings
from bench.server import Server, command, serving
from whence.app import build
from whence.kernel.settings import Settings
from whence.packs.resale.library import background
from whence.packs.resale.library.search import LibrarySearch
from whence.packs.resale.matching.scorer import Product, score_all, text_of
from whence.packs.resale.matching.tokens import terms
from whence.packs.resale.records import ListingStatus

ITEMS = 25
LISTINGS = 5_247
DATA = Path(__file__).parents[2] / "shared" / "data" / "resale" / "walmart_amazon"


def _prepare(home: Path) -> list[dict[str, str]]:
    """Import the listings (the public set where it is, made-up ones elsewhere); the items."""
    if DATA.is_dir():
        command(home, "import", "resale.listings", str(DATA / "listings.jsonl"))
        lines = (DATA / "items.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines[:: len(lines) // ITEMS][:ITEMS]]
        return [
            {name: row[name] for name in ("title", "brand", "model", "category")} for row in rows
        ]
    rows = listings(LISTINGS)
    path = home.parent / "listings.jsonl"
    path.write_text("\n".join(row.model_dump_json(by_alias=True) for row in rows), "utf-8")
    command(home, "import", "resale.listings", str(path))
    return [{"title": row.title} for row in rows[:: LISTINGS // ITEMS][:ITEMS]]


async def _from_outside(server: Server, items: list[dict[str, str]]) -> list[float]:
    took: list[float] = []
    headers = {"Authorization": f"Bearer {server.token}"}
    async with httpx.AsyncClient(base_url=server.url, headers=headers) as http:
        client = socketio.AsyncClient()
        await client.connect(server.url, namespaces=["/research"], auth={"token": server.token})
        done: asyncio.Queue[object] = asyncio.Queue()
        client.on("job_complete", done.put_nowait, namespace="/research")
        for item in items:
            record = (await http.post("/api/items", json=item)).raise_for_status().json()
            began = time.perf_counter()
            answer = await http.post(f"/api/items/{record['id']}/research", json={})
            job = answer.raise_for_status().json()["jobId"]
            await client.emit("subscribe_job", {"jobId": job}, namespace="/research")
            await asyncio.wait_for(done.get(), 60)
            took.append((time.perf_counter() - began) * 1000)
        await client.disconnect()
    return took


async def _bare(home: Path, items: list[dict[str, str]]) -> list[float]:
    """One search and one scoring of the same items in this process: the work without the rest."""
    took: list[float] = []
    statuses = tuple(ListingStatus)
    async with build.platform(Settings(home=home, database_url=None)) as platform:
        for item in items:
            began = time.perf_counter()
            product = Product(title=item["title"], brand=item.get("brand"))
            async with platform.unit(platform.owner) as session:
                search = LibrarySearch(session)
                nearest = await search.by_words(item["title"], statuses, 20)
                words = list({term for row in nearest for term in terms(text_of(row))})
                catalogue = background.catalogue(*await search.counts(words), words)
            score_all(product, nearest, catalogue)
            took.append((time.perf_counter() - began) * 1000)
    return took


async def measure(home: Path) -> list[Figure]:
    """Median from the POST to `job_complete`, one item after the other."""
    items = _prepare(home)
    with serving(home) as server:
        took = await _from_outside(server, items)
        bare = await _bare(home, items)
    name = f"POST to job_complete, {LISTINGS:,} listings, median of {ITEMS}"
    return [
        Figure(name, median(took), "ms", "one search and scoring, no engine", median(bare), 1500.0)
    ]
