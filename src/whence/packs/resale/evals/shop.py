"""Research items in memory: run the real flow over a folder's listings and photographs."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote, urlsplit

from whence.packs.resale.flows.research import RESEARCH
from whence.packs.resale.flows.sources import Libraries, OutsideSources
from whence.packs.resale.imports import Row, read_items, read_listings
from whence.packs.resale.items import ITEMS
from whence.packs.resale.library import background
from whence.packs.resale.library.search import LEAST_LIKENESS
from whence.packs.resale.library.source import LOOKUP_LIMIT, STATUSES, Library, entry_of
from whence.packs.resale.matching.retrieval import Candidates
from whence.packs.resale.matching.scorer import text_of
from whence.packs.resale.matching.tokens import terms
from whence.packs.resale.perception.reader import PhotographReader
from whence.packs.resale.photographs import PhotoFetcher, cached_name
from whence.packs.resale.readings import PhotographReadings
from whence.packs.resale.records import Item, Listing, Media
from whence.packs.resale.settings import ResaleSettings
from whence.packs.resale.sources.base import CatalogueEntry, CompQuery, Offer, SearchResult
from whence.sdk.http import Fetcher
from whence.sdk.testing import FlowResult, no_unit, run_flow

NEAREST = 60
"""Listings that a query returns before they are filtered by status."""


class Shop(Library):
    """A file's listings as an organization's library."""

    def __init__(self, listings: Sequence[Listing]) -> None:
        super().__init__(no_unit)
        self._listings = listings

    @classmethod
    def read(cls, path: Path, at: datetime) -> Shop:
        """The listings of a file; refused rows are left out."""
        return cls([row.record for row in read_listings(path, at=at) if isinstance(row, Row)])

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(term for each in self._listings for term in terms(text_of(each)))

    @cached_property
    def _index(self) -> Candidates:
        catalogue = background.catalogue(len(self._listings), self._counts, list(self._counts))
        return Candidates([text_of(each) for each in self._listings], catalogue)

    async def counts(self, words: Sequence[str]) -> tuple[int, Mapping[str, int]]:
        """The counts that the library's index would have."""
        return len(self._listings), {word: self._counts[word] for word in words}

    async def search(self, query: CompQuery, offer: Offer, limit: int) -> SearchResult:
        """The listings with the query's GTIN, and those nearest to its words."""
        near = self._index.nearest(query.text, NEAREST, LEAST_LIKENESS) if query.text else []
        listings = [*self._of_gtin(query.gtin), *(self._listings[at] for at in near)]
        offered = [each for each in listings if each.status in STATUSES[offer]]
        return SearchResult(listings=tuple(offered[:limit]), total=len(offered))

    async def lookup(self, gtin: str) -> Sequence[CatalogueEntry]:
        """Catalogue entries made from listings with this GTIN."""
        return [entry_of(each) for each in self._of_gtin(gtin)[:LOOKUP_LIMIT]]

    def _of_gtin(self, gtin: str | None) -> list[Listing]:
        return [each for each in self._listings if gtin and each.gtin == gtin]


def read_sample_items(path: Path, at: datetime) -> dict[str, Item]:
    """Items of a file by their id there; their photographs are addresses of files."""
    rows = (row for row in read_items(path, at=at) if isinstance(row, Row))
    return {row.external_id: row.record for row in rows}


async def research(
    ident: str, item: Item, shop: Shop, at: datetime, reader: PhotographReader
) -> FlowResult:
    """Run the flow for an item by rules, as of `at`."""
    paths = [Path(unquote(urlsplit(media.url).path)) for media in item.media]
    named = item.model_copy(update={"media": [Media(url=path.name) for path in paths]})
    async with _photographs(paths) as fetcher:
        services = (
            ResaleSettings(fee_table=None, assumptions=None),
            Libraries(lambda _: shop),
            OutsideSources(()),
            fetcher,
            PhotographReadings(reader, are_kept=False),
        )
        return await run_flow(ITEMS, RESEARCH, named, services=services, external_id=ident, at=at)


@asynccontextmanager
async def _photographs(paths: Sequence[Path]) -> AsyncGenerator[PhotoFetcher]:
    """A fetcher that serves these files by name."""
    with TemporaryDirectory(prefix="whence-photographs-") as folder:
        for path in paths:
            (Path(folder) / cached_name(path.name)).write_bytes(path.read_bytes())
        async with Fetcher() as fetcher:
            yield PhotoFetcher(fetcher, Path(folder))
