"""What the organization spent on models, and how often it asked sources; only for owners."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from whence.app.spending import Spending, spending_of
from whence.transports.edge.access import Owner
from whence.transports.edge.identity import CurrentPlatform

router = APIRouter(prefix="/api/spending", tags=["spending"])


@router.get("")
async def read_spending(
    platform: CurrentPlatform, who: Owner, days: Annotated[int, Query(ge=1, le=366)] = 30
) -> Spending:
    """Spending of the last days by day, model and purpose, and what is left of each limit."""
    return await spending_of(platform, who, days)
