"""Finding imported listings: by words, GTIN and status, for one organization only."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from whence.packs.resale.evals.labelled import read_folder, read_pairs
from whence.packs.resale.library import background
from whence.packs.resale.library.search import MAX_POSTINGS, LibrarySearch, _followed
from whence.packs.resale.library.source import Library
from whence.packs.resale.library.write import (
    LISTING_COLLECTION,
    count_terms,
    write_listings,
)
from whence.packs.resale.matching.catalogue import Catalogue
from whence.packs.resale.matching.retrieval import Candidates
from whence.packs.resale.matching.scorer import text_of
from whence.packs.resale.records import Listing, ListingStatus
from whence.packs.resale.sources.base import CompQuery, Offer
from whence.search import index
from whence.search.rebuild import rebuild

pytestmark = pytest.mark.anyio

ALL = tuple(ListingStatus)
GTIN = "00012345678905"
DATA = Path(__file__).parents[5] / "shared" / "data" / "resale" / "walmart_amazon"


def listing(key: str, title: str, **fields: Any) -> Listing:
    return Listing(source="library", source_id=key, title=title, **fields)


async def write(platform: Any, *listings: Listing, org: Any = None) -> Any:
    async with platform.db.unit(org or platform.owner.org_id) as session:
        written = await write_listings(session, listings)
        await count_terms(session)
        return written


async def matches(platform: Any, query: str, statuses: Any = ALL, org: Any = None) -> list[str]:
    async with platform.db.unit(org or platform.owner.org_id) as session:
        search = LibrarySearch(session)
        return [one.source_id for one in (await search.by_words(query, statuses, 20)).listings]


async def counts(platform: Any, *words: str) -> tuple[int, dict[str, int]]:
    async with platform.db.unit(platform.owner.org_id) as session:
        return await LibrarySearch(session).counts(words)


async def test_the_nearest_comes_first_and_a_stranger_not_at_all(platform: Any) -> None:
    await write(
        platform,
        listing("lamp", "Corvane Lumen L3 desk lamp"),
        listing("other", "Corvane Lumen L5 desk lamp"),
        listing("stranger", "Wool blanket, black"),
    )
    assert await matches(platform, "Corvane Lumen L3 lamp black") == ["lamp", "other"]


async def test_a_library_of_one_product_is_still_searched(platform: Any) -> None:
    await write(platform, *(listing(f"l{n}", "Corvane Lumen lamp") for n in range(5)))
    assert len(await matches(platform, "lumen corvane")) == 5


async def test_equally_near_listings_come_in_the_same_order_in_every_library(platform: Any) -> None:
    keys = [f"k{n:02}" for n in range(40)]
    await write(platform, *(listing(key, "Corvane Lumen lamp") for key in reversed(keys)))
    assert await matches(platform, "lumen corvane") == keys[:20]


async def test_the_library_says_how_many_listings_match_in_all(platform: Any) -> None:
    await write(platform, *(listing(f"k{n}", "Corvane Lumen lamp", gtin=GTIN) for n in range(30)))
    async with platform.db.unit(platform.owner.org_id) as session:
        search = LibrarySearch(session)
        for search_result in (
            await search.by_words("lumen corvane", ALL, 10),
            await search.by_gtin(GTIN, ALL, 10),
        ):
            assert (len(search_result.listings), search_result.total) == (10, 30)


async def test_status_narrows_and_codes_are_found_in_any_spelling(platform: Any) -> None:
    sold, active = ListingStatus.SOLD, ListingStatus.ACTIVE
    await write(
        platform,
        listing("sold", "Aurelia QB-700 headphones", status=sold),
        listing("active", "Aurelia QB700 headphones", status=active),
    )
    assert await matches(platform, "qb700", [sold]) == ["sold"]
    assert await matches(platform, "QB-700", [active]) == ["active"]


async def test_a_gtin_is_found_before_words(platform: Any) -> None:
    await write(
        platform,
        listing("words", "Corvane Lumen lamp", status=ListingStatus.SOLD),
        listing("code", "Nachttischlampe", gtin=GTIN, status=ListingStatus.SOLD),
    )
    library = Library(lambda: platform.db.unit(platform.owner.org_id))
    both = await library.search(CompQuery("Corvane lamp", GTIN), Offer.SOLD, 10)
    assert [one.source_id for one in both.listings] == ["code", "words"]
    [entry] = await library.lookup(GTIN)
    assert entry.title == "Nachttischlampe"


async def test_another_organization_sees_nothing_of_it(platform: Any, new_principal: Any) -> None:
    await write(platform, listing("mine", "Corvane Lumen lamp", gtin=GTIN))
    other = new_principal().org_id
    assert await matches(platform, "Corvane", org=other) == []
    await write(platform, listing("mine", "Corvane Lumen lamp, theirs"), org=other)
    assert (await counts(platform, "corvane")) == (1, {"corvane": 1})


async def test_importing_again_changes_nothing_and_a_changed_row_is_counted_anew(
    platform: Any,
) -> None:
    first = listing("a", "Corvane lamp")
    await write(platform, first, listing("b", "Corvane kettle"))
    again = await write(platform, first)
    assert (again.added, again.updated, again.unchanged) == (0, 0, 1)
    changed = await write(platform, listing("a", "Fennmark toaster"))
    assert (changed.added, changed.updated) == (0, 1)
    listings, frequencies = await counts(platform, "corvane", "lamp", "fennmark", "kettle")
    assert (listings, frequencies) == (2, {"corvane": 1, "fennmark": 1, "kettle": 1})
    assert await matches(platform, "lamp") == []


async def test_counts_equal_a_count_of_the_index(platform: Any) -> None:
    for title in ("Corvane lamp", "Corvane lamp L3", "lamp"):
        await write(platform, listing("a", title), listing("b", "Corvane lamp"))
    query = text("""
        SELECT term, count(*) FROM whence.search_postings WHERE collection = 'resale.listings'
        GROUP BY term
    """)
    async with platform.db.unit(platform.owner.org_id) as session:
        indexed = dict((await session.execute(query)).tuples().all())
    assert await counts(platform, *indexed, "l3") == (2, indexed)


async def test_listings_of_before_the_index_are_found_after_a_start(
    platform: Any, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "BATCH", 2)
    await write(platform, *(listing(f"l{n}", f"Corvane Lumen L{n}") for n in range(5)))
    with psycopg.connect(database_url) as connection:
        for name in ("postings", "documents", "counts", "definitions"):
            connection.execute(f"DELETE FROM whence.search_{name}")
    assert await matches(platform, "lumen corvane") == []
    assert await rebuild(platform.db, [LISTING_COLLECTION]) == 5
    assert len(await matches(platform, "lumen corvane")) == 5
    assert await counts(platform, "corvane", "l3") == (5, {"corvane": 5, "l3": 1})


@pytest.mark.parametrize("query", ["", "   ", "!!!", "nothing of this is there"])
async def test_words_that_are_nowhere_find_nothing(platform: Any, query: str) -> None:
    await write(platform, listing("a", "Corvane lamp"))
    assert await matches(platform, query) == []


def test_common_words_are_followed_only_while_they_fit() -> None:
    frequencies = {"qb700": 3, "aurelia": 9_000, "headphone": 15_000, "black": 60_000}
    catalogue = Catalogue(100_000, frequencies)
    followed = _followed(["black", "headphone", "aurelia", "qb700"], frequencies, catalogue)
    assert followed == ["qb700", "aurelia"]
    assert sum(frequencies[term] for term in followed) <= MAX_POSTINGS


def test_the_rarest_word_is_followed_however_common() -> None:
    frequencies = {"black": 60_000, "new": 90_000}
    assert _followed(["new", "black"], frequencies, Catalogue(100_000, frequencies)) == ["black"]


def test_in_a_small_library_a_code_tells_and_a_selling_word_does_not() -> None:
    frequencies = {"aurelia": 40, "qb700": 40, "black": 40, "headphone": 40}
    read = background.catalogue(84, frequencies, frequencies)
    assert read.rarity("qb700") > 0.5 > read.rarity("black")
    assert read.rarity("aurelia") > read.rarity("headphone")


def test_a_large_library_speaks_for_itself() -> None:
    frequencies = {"qb700": 500}
    own = background.catalogue(1_000, frequencies, frequencies)
    assert own.rarity("qb700") == Catalogue(1_000, frequencies).rarity("qb700")


@pytest.mark.skipif(not DATA.is_dir(), reason="the labelled data is not beside the repository")
async def test_it_finds_as_much_as_the_index_in_memory(platform: Any) -> None:
    folder = read_folder(DATA)
    true: defaultdict[str, set[str]] = defaultdict(set)
    for pair in read_pairs(DATA, "test", folder):
        if pair.match:
            true[pair.item].add(pair.listing)
    everything = list(folder.listings.values())
    for start in range(0, len(everything), 2_000):
        async with platform.db.unit(platform.owner.org_id) as session:
            await write_listings(session, everything[start : start + 2_000])
    await write(platform)
    texts = [text_of(one) for one in everything]
    memory = Candidates(texts, Catalogue.of(texts))
    in_memory = in_library = 0
    async with platform.db.unit(platform.owner.org_id) as session:
        for item, wanted in true.items():
            query = text_of(folder.items[item])
            near = {everything[at].source_id for at in memory.nearest(query, 10)}
            keys = {
                one.source_id
                for one in (await LibrarySearch(session).by_words(query, ALL, 10)).listings
            }
            in_memory += len(wanted & near)
            in_library += len(wanted & keys)
    assert in_library >= 0.98 * in_memory
