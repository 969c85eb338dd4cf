"""The sample pack for benchmarks: a platform that serves one flow, and a note to research."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from whence.app import build
from whence.app.platform import Platform
from whence.db.tables import SubjectRow
from whence.kernel.settings import Settings
from whence.records import store
from whence.research.flow import Flow
from whence.research.versions import Flows

SAMPLE_PACKS = Path(__file__).parents[1] / "tests" / "fixtures"


@asynccontextmanager
async def sample_platform(home: Path, flow: Flow) -> AsyncGenerator[Platform]:
    """A platform with the sample pack, whose only flow is `flow`; without a worker."""
    settings = Settings(home=home, pack_dirs=[SAMPLE_PACKS], database_url=None)
    async with build.platform(settings) as platform:
        yield replace(platform, flows=Flows([flow]))


async def create_note(platform: Platform) -> SubjectRow:
    """A new note of the platform's owner."""
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        note = kind.record.model_validate({"title": "bench", "text": "bench"})
        return await store.create(session, platform.owner, kind, note)
