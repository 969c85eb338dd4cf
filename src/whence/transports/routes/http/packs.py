"""The installed packs, described so that a client can render any of them."""

from __future__ import annotations

from fastapi import APIRouter

from whence.app.manifest import PackView
from whence.transports.edge.access import Reader
from whence.transports.edge.identity import CurrentPlatform

router = APIRouter(prefix="/api/packs", tags=["packs"])


@router.get("")
async def list_packs(platform: CurrentPlatform, who: Reader) -> list[PackView]:
    """Every pack: kinds with fields, lists and relations, forms, pages, imports, jobs, routes."""
    return platform.manifest
