"""What lists show of the research of their records."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query

from whence.app.platform import DEFAULT_FLOW
from whence.evidence.conclusions import RecordConclusions, conclusions
from whence.kernel.paging import PAGE_LIMIT
from whence.records.kind import SubjectKind
from whence.transports.edge.access import Reader
from whence.transports.edge.identity import CurrentPlatform

Ids = Annotated[
    list[UUID],
    Query(alias="id", max_length=PAGE_LIMIT, description="whence's own ids; repeat it"),
]


def conclusion_routes(kind: SubjectKind) -> APIRouter:
    """The route of a kind's conclusions; add it before the routes of one record."""
    router = APIRouter(prefix=f"/api/{kind.kind}", tags=[kind.kind])

    @router.get("/conclusions", name=f"conclusions_of_{kind.kind}")
    async def read(platform: CurrentPlatform, who: Reader, ids: Ids) -> list[RecordConclusions]:
        """The telling claims of these records' current dossiers; without research, none."""
        if (kind.kind, DEFAULT_FLOW) not in platform.flows:
            return []
        async with platform.unit(who) as session:
            return await conclusions(
                session, kind.kind, DEFAULT_FLOW, ids, kind.display.conclusions
            )

    del read
    return router
