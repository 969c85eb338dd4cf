"""Listing search at 100,000 listings, beside a scan of the same table."""

from __future__ import annotations

import random
import time
from pathlib import Path

from sqlalchemy import text

from bench.figures import Figure, median, p95
from whence.app import build
from whence.app.platform import Platform
from whence.kernel.settings import Settings
from whence.packs.resale.library.search import LibrarySearch
from whence.packs.resale.library.write import BATCH, count_terms, write_listings
from whence.packs.resale.records import Listing, ListingStatus

LISTINGS = 100_000
QUERIES = 200
SCANS = 5
SEED = 7
KINDS = (
    "headphones", "kettle", "backpack", "lamp", "camera", "lens", "printer", "toner", "monitor",
    "keyboard", "mouse", "router", "speaker", "drone", "watch", "jacket", "boots", "drill", "saw",
    "blender", "toaster", "tripod", "charger", "cable", "case", "tablet", "laptop", "phone",
)  # fmt: skip
COLOURS = ("black", "white", "silver", "blue", "red", "green", "grey")
EXTRAS = ("wireless", "portable", "with box", "tested", "new", "used", "pro", "mini", "set", "hd")


def listings(count: int) -> list[Listing]:
    """Made-up listings of some 12,000 products, the same at every run."""
    draw = random.Random(SEED)
    brands = [
        f"{a}{b}"
        for a in ("au", "fen", "or", "lu", "ka", "vel", "no", "ti")
        for b in ("relia", "nmark", "rin", "mora", "desk", "tron", "via", "lex", "dyne", "sson")
    ]
    products = [
        f"{draw.choice(brands)} {draw.choice(KINDS)} "
        f"{draw.choice('abcdefgh')}{draw.choice('klmnp')}-{draw.randint(100, 9999)}"
        for _ in range(12_000)
    ]
    return [
        Listing(
            source="library",
            source_id=f"b{number}",
            title=f"{draw.choice(products)} {draw.choice(COLOURS)} {draw.choice(EXTRAS)} "
            f"{draw.choice(EXTRAS)}",
            status=draw.choice((ListingStatus.SOLD, ListingStatus.ACTIVE)),
            price=round(draw.uniform(5, 500), 2),
        )
        for number in range(count)
    ]


async def _fill(platform: Platform, rows: list[Listing]) -> float:
    began = time.perf_counter()
    async with platform.unit(platform.owner) as session:
        for start in range(0, len(rows), BATCH):
            await write_listings(session, rows[start : start + BATCH])
        await count_terms(session)
    async with platform.unit(platform.owner) as session:
        await session.execute(text("SELECT 1"))
    return time.perf_counter() - began


async def measure(home: Path) -> list[Figure]:
    """p95 of a search, each in a unit of work of its own, as a flow does it."""
    rows = listings(LISTINGS)
    draw = random.Random(SEED + 1)
    queries = [draw.choice(rows).title for _ in range(QUERIES)]
    async with build.platform(Settings(home=home, database_url=None)) as platform:
        seconds = await _fill(platform, rows)
        print(f"    ({LISTINGS:,} listings written and indexed in {seconds:.0f} s)")
        took: list[float] = []
        for query in queries:
            began = time.perf_counter()
            async with platform.unit(platform.owner) as session:
                await LibrarySearch(session).by_words(query, (ListingStatus.SOLD,), 20)
            took.append((time.perf_counter() - began) * 1000)
        scans: list[float] = []
        for query in queries[:SCANS]:
            began = time.perf_counter()
            async with platform.unit(platform.owner) as session:
                word = f"%{query.split()[2]}%"
                scan = text("SELECT count(*) FROM resale.listings WHERE record->>'title' ILIKE :w")
                await session.execute(scan, {"w": word})
            scans.append((time.perf_counter() - began) * 1000)
    name = f"listing search at {LISTINGS:,}, p95 of {QUERIES} (median {median(took):.1f})"
    return [Figure(name, p95(took), "ms", "ILIKE scan for one word, median", median(scans), 100.0)]
