"""What is kept for how long; only for owners."""

from __future__ import annotations

from fastapi import APIRouter

from whence.app.retention_settings import RetentionSettings, retention_settings
from whence.transports.edge.access import Owner
from whence.transports.edge.identity import CurrentPlatform

router = APIRouter(prefix="/api/retention", tags=["retention"])


@router.get("")
async def read_retention(platform: CurrentPlatform, who: Owner) -> RetentionSettings:
    """The rules in force, each with the variable that sets it."""
    return retention_settings(platform.settings, who)
