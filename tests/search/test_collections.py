"""Texts of a pack's own in the search index: searched by likeness, rebuilt, and erased."""

from __future__ import annotations

import sys
from typing import Any
from uuid import UUID

import psycopg
import pytest

from whence.kernel.ids import new_id
from whence.records import store
from whence.search import index
from whence.search.likeness import counts, nearest
from whence.search.rebuild import rebuild

pytestmark = pytest.mark.anyio
DRINKS = "test.drinks"


async def _put(platform: Any, who: Any, *texts: str) -> list[UUID]:
    ids = [new_id() for _ in texts]
    documents = {key: dict.fromkeys(text.split(), 1) for key, text in zip(ids, texts, strict=True)}
    async with platform.unit(who) as session:
        await index.put(session, DRINKS, documents)
        await index.count_terms(session, DRINKS)
    return ids


async def _nearest(platform: Any, who: Any, **weights: float) -> list[tuple[UUID, float]]:
    async with platform.unit(who) as session:
        rows = (await session.execute(nearest(DRINKS, weights))).all()
    return sorted(((row[0], float(row[1])) for row in rows), key=lambda row: -row[1])


async def test_the_weight_of_shared_words_and_a_short_document_make_the_nearest(
    platform: Any,
) -> None:
    tea, _, both = await _put(
        platform, platform.owner, "green tea", "black rum", "tea and milk yes"
    )
    assert await _nearest(platform, platform.owner, tea=1.0) == [
        (tea, pytest.approx(1 / 2**0.5)),
        (both, pytest.approx(1 / 4**0.5)),
    ]
    first, second = await _nearest(platform, platform.owner, tea=1.0, milk=3.0)
    assert (first[0], second[0]) == (both, tea)
    assert await _nearest(platform, platform.owner, water=1.0) == []


async def test_counts_follow_what_is_put_and_removed(platform: Any) -> None:
    tea, _ = await _put(platform, platform.owner, "green tea", "black tea")
    async with platform.unit(platform.owner) as session:
        assert await counts(session, DRINKS, ["tea", "green", "rum"]) == (2, {"tea": 2, "green": 1})
        await index.remove(session, DRINKS, [tea])
        await index.count_terms(session, DRINKS)
        assert await counts(session, DRINKS, ["tea", "green"]) == (1, {"tea": 1})


async def test_another_organization_finds_and_counts_nothing(
    platform: Any, new_principal: Any
) -> None:
    await _put(platform, platform.owner, "green tea")
    other = new_principal()
    assert await _nearest(platform, other, tea=1.0) == []
    async with platform.unit(other) as session:
        assert await counts(session, DRINKS, ["tea"]) == (0, {})


async def _note(platform: Any, title: str) -> UUID:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        row = await store.create(
            session, platform.owner, kind, kind.record(title=title, text="words")
        )
        return row.id


async def _similar(platform: Any, note: UUID) -> list[str]:
    """As the sample pack, which was discovered, answers it."""
    module = sys.modules["whence.packs.sample_pack.similar"]
    async with platform.unit(platform.owner) as session:
        row = await session.get(platform.kind("notes").row, (platform.owner.org_id, note))
        return await module.similar(session, row)


async def test_a_collection_of_a_pack_is_indexed_at_a_start_and_searched(
    platform: Any, database_url: str
) -> None:
    tea = await _note(platform, "Green tea")
    await _note(platform, "Black tea")
    await _note(platform, "Rum")
    [own] = platform.pack_of("notes").collections
    with psycopg.connect(database_url) as connection:
        connection.execute("DELETE FROM whence.search_definitions")
    assert await rebuild(platform.db, [own]) == 3
    assert await rebuild(platform.db, [own]) == 0
    assert (await _similar(platform, tea))[0] == "Black tea"


async def test_erasing_a_record_takes_it_out_of_the_packs_collections(
    platform: Any, database_url: str
) -> None:
    note = await _note(platform, "Zanzibar")
    async with platform.unit(platform.owner) as session:
        await index.put(session, "sample_pack.similar", {note: {"zanzibar": 1}})
    await platform.eraser.erase(platform.owner, "notes", str(note), "asked for")
    with psycopg.connect(database_url) as connection:
        for table in ("search_postings", "search_documents"):
            rows = connection.execute(f"SELECT collection FROM whence.{table}").fetchall()
            assert rows == [], table
