"""Lists of 100,000 records: search, filters, order and counts, beside plain SQL that scans them."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import accumulate
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from bench.figures import Figure, median, p95
from bench.sample import SAMPLE_PACKS
from whence.app import build
from whence.app.platform import Platform
from whence.kernel.ids import new_id
from whence.kernel.settings import Settings
from whence.records import listing, store
from whence.records.bulk import upsert_all
from whence.records.imports.importer import Batch
from whence.records.kind import SubjectKind
from whence.records.tabular.reading import Row

RECORDS = 100_000
BATCH = 2_000
QUERIES = 60
SCANS = 5
SEED = 7
WORDS = 20_000
"""Of which the commonest stands in most records and most stand in a few, as in any language."""
_SEARCH = text("""
    SELECT * FROM sample_pack.remarks
    WHERE text ILIKE :first AND text ILIKE :second AND mood = 'praise' AND deleted_at IS NULL
    ORDER BY stars DESC, id LIMIT 51
""")
_FILTER = text("""
    SELECT * FROM sample_pack.remarks WHERE mood = 'praise' AND deleted_at IS NULL
    ORDER BY stars DESC, id LIMIT 51
""")
_COUNT = text("""
    SELECT mood, count(*) FROM sample_pack.remarks
    WHERE text ILIKE :first AND text ILIKE :second AND deleted_at IS NULL GROUP BY mood
""")
Ask = Callable[[AsyncSession, str], Awaitable[object]]


def texts() -> list[str]:
    """Texts of twelve words each, the same at every run."""
    draw = random.Random(SEED)
    words = ["".join(draw.choices(ascii_lowercase, k=draw.randint(4, 9))) for _ in range(WORDS)]
    weights = list(accumulate(1 / (rank + 1) for rank in range(WORDS)))
    return [" ".join(draw.choices(words, cum_weights=weights, k=12)) for _ in range(RECORDS)]


async def _fill(platform: Platform, texts: Sequence[str]) -> None:
    draw = random.Random(SEED)
    remarks, notes = platform.kind("remarks"), platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        note = notes.record.model_validate({"title": "bench", "text": "bench"})
        await store.create(session, platform.owner, notes, note, "bench")
    for start in range(0, RECORDS, BATCH):
        rows = [
            Row(number, f"r{number}", _remark(remarks, texts[number], draw))
            for number in range(start, min(start + BATCH, RECORDS))
        ]
        async with platform.unit(platform.owner) as session:
            batch = Batch(session, platform.owner, platform.files, new_id(), rows)
            await upsert_all(batch, remarks)


def _remark(kind: SubjectKind, text: str, draw: random.Random) -> Any:
    fields = {"noteId": "bench", "text": text, "stars": draw.randint(1, 5)}
    return kind.record.model_validate(fields | {"mood": draw.choice(("praise", "doubt", None))})


async def _times(platform: Platform, ask: Ask, searches: Sequence[str]) -> list[float]:
    took: list[float] = []
    for search in searches:
        began = time.perf_counter()
        async with platform.unit(platform.owner) as session:
            await ask(session, search)
        took.append((time.perf_counter() - began) * 1000)
    return took


async def measure(home: Path) -> list[Figure]:
    """p95 of a page and of counts for two words of a record, beside a scan in plain SQL."""
    settings = Settings(home=home, pack_dirs=[SAMPLE_PACKS], database_url=None)
    draw = random.Random(SEED + 1)
    written = texts()
    queries = [" ".join(draw.sample(draw.choice(written).split(), 2)) for _ in range(QUERIES)]
    async with build.platform(settings) as platform:
        began = time.perf_counter()
        await _fill(platform, written)
        print(f"  {RECORDS:,} records written and indexed in {time.perf_counter() - began:.0f} s")
        kind = platform.kind("remarks")

        def page(**wanted: Any) -> Ask:
            async def ask(session: AsyncSession, search: str) -> object:
                query = listing.list_query(kind).model_validate(
                    {name: search if value == "words" else value for name, value in wanted.items()}
                )
                return await listing.page(session, kind, query)

            return ask

        async def counts(session: AsyncSession, search: str) -> object:
            query = listing.count_query(kind).model_validate({"search": search, "by": ["mood"]})
            return await listing.counts(session, kind, query)

        def sql(statement: Any) -> Ask:
            async def ask(session: AsyncSession, search: str) -> object:
                first, second = (f"%{word}%" for word in search.split())
                values = {"first": first, "second": second} if ":first" in str(statement) else {}
                return (await session.execute(statement, values)).all()

            return ask

        figures: list[Figure] = []
        for name, ours, plain in (
            ("search, best first", page(search="words"), sql(_SEARCH)),
            (
                "search, filter and order",
                page(search="words", mood=["praise"], sort="-stars"),
                sql(_SEARCH),
            ),
            ("filter and order", page(mood=["praise"], sort="-stars"), sql(_FILTER)),
            ("search and counts", counts, sql(_COUNT)),
        ):
            await _times(platform, ours, queries[:SCANS])
            took = await _times(platform, ours, queries)
            scans = await _times(platform, plain, queries[:SCANS])
            shown = f"{name} at {RECORDS:,}, p95 (median {median(took):.1f})"
            figures.append(Figure(shown, p95(took), "ms", "a scan in plain SQL", median(scans)))
    return figures
