"""The outside sources: their state, their quotas, and a test request; only for owners."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from whence.app import source_settings
from whence.app.source_settings import SourceSettings, SourceTestView
from whence.transports.edge.access import Owner
from whence.transports.edge.identity import CurrentPlatform

router = APIRouter(prefix="/api/sources", tags=["sources"])


@router.get("")
async def list_sources(platform: CurrentPlatform, who: Owner) -> SourceSettings:
    """The sources of all packs, and how much may still be asked today."""
    return await source_settings.source_settings(platform, who)


@router.post("/{id}/test")
async def test_source(
    platform: CurrentPlatform,
    who: Owner,
    source_id: Annotated[str, Path(alias="id", max_length=100)],
) -> SourceTestView:
    """Make one small request; it counts as any other, and 20 tests an hour are allowed."""
    return await source_settings.ask_source(platform, who, source_id)
