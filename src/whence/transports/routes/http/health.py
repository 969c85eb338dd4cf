"""Health checks: whether the process is alive, and whether it can work."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter

from whence.kernel.errors import Unavailable
from whence.kernel.wire import Wire
from whence.transports.edge.access import PUBLIC
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.edge.problems import FieldError
from whence.transports.edge.process_metrics import failing

router = APIRouter(tags=["health"], dependencies=[PUBLIC])


class CannotWork(Unavailable):
    """This process cannot work at the moment."""


class Health(Wire):
    """The word that load balancers look for."""

    status: Literal["ok"] = "ok"


@router.get("/healthz")
async def healthz() -> Health:
    """The process responds."""
    return Health()


@router.get("/readyz")
async def readyz(platform: CurrentPlatform) -> Health:
    """Database, migrations, notifications and a worker in this process work; otherwise 503 lists
    what does not."""
    if wrong := await failing(platform):
        words = "; ".join(f"{part}: {reason}" for part, reason in wrong.items())
        named = [FieldError(field=part, message=reason) for part, reason in wrong.items()]
        raise CannotWork(f"Not ready. {words}.", errors=named)
    return Health()
