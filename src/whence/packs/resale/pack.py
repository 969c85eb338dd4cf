"""Resale: what is this thing, what do others pay for it, and where to sell it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from whence.sdk import ModelUse, Pack, Sample, Setup
from whence.sdk.evidence import EvidencePictures
from whence.sdk.records import TableErasure

from .chat.evidence_choices import LISTING_CHOICES
from .chat.offer import CHAT
from .checks import checks
from .evals import EVALUATIONS
from .facts import facts
from .flows.research import RESEARCH
from .flows.sources import Libraries, OutsideSources
from .imports.importing import ITEM_IMPORT, LISTING_IMPORT
from .items import ITEMS
from .library.write import LISTING_COLLECTION
from .listed_sources import SOURCES
from .pages import PAGES
from .perception.reader import PhotographReader
from .photographs import PhotoFetcher
from .readings import PhotographReadings
from .routes import ROUTES
from .settings import read_settings, variables
from .show import show
from .sources.registry import sources
from .tools import TOOLS

FOLDER = Path(__file__).parent


@asynccontextmanager
async def services(setup: Setup) -> AsyncGenerator[Sequence[object]]:
    """The adapters and settings that nodes and tools look up."""
    settings = read_settings()
    reader = PhotographReader()
    try:
        yield [
            settings,
            setup.settings,
            Libraries(),
            OutsideSources(tuple(sources(settings, setup.fetcher))),
            PhotoFetcher(setup.fetcher, setup.settings.home / "cache" / "photographs"),
            PhotographReadings(reader),
            EvidencePictures(setup.fetcher, setup.settings.home, reader.preview),
        ]
    finally:
        await reader.close()


PACK = Pack(
    id="resale",
    title="Resale",
    folder=FOLDER,
    subjects=[ITEMS],
    flows=[RESEARCH],
    tools=TOOLS,
    chats=[CHAT],
    evidence_choices=[LISTING_CHOICES],
    pages=PAGES,
    importers=[
        ITEM_IMPORT,
        LISTING_IMPORT,
    ],
    evals=EVALUATIONS,
    routes=ROUTES,
    services=services,
    checks=checks,
    model_uses=[
        ModelUse(
            "identify_product",
            "Names the product of an item",
            "barcodes, and brand and model as they are written, name it",
        ),
        ModelUse(
            "look_at_photos",
            "Sees condition and completeness on photographs",
            "barcodes and printed text are read on this machine; nobody judges the condition",
            is_vision=True,
        ),
    ],
    sources=SOURCES,
    variables=variables(),
    show=show,
    facts=facts,
    collections=[LISTING_COLLECTION],
    erasure=[
        TableErasure("resale.photo_readings", (("item_id", "record"),)),
        TableErasure("resale.live_searches", stays="counts by day, of no record"),
        TableErasure("resale.listings", stays="seen on marketplaces, of no record"),
    ],
    sample=Sample(
        folder=FOLDER / "sample",
        imports=(("items", "items.csv"), ("listings", "listings.csv")),
        subject=("items", "HP-001"),
        question="What is it worth, and what is missing?",
    ),
)
