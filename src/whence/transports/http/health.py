"""For those who watch the process: is it alive, can it work."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter

from whence.kernel.wire import Wire
from whence.transports.http.identity import Built

router = APIRouter(tags=["health"])


class Health(Wire):
    """The word that a load balancer looks for."""

    status: Literal["ok"] = "ok"


@router.get("/healthz")
async def healthz() -> Health:
    """The process answers."""
    return Health()


@router.get("/readyz")
async def readyz(built: Built) -> Health:
    """The database answers too; 503 when it does not."""
    async with built.db.unit(None):
        return Health()
