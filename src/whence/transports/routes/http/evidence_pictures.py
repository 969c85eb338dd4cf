"""The picture of a piece of evidence from another site, sent by this server."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Response

from whence.evidence.dossiers import Lane
from whence.evidence.pictures import EvidencePictures
from whence.evidence.store import one
from whence.kernel.errors import Misconfigured, NotFound
from whence.records import store
from whence.records.kind import SubjectKind
from whence.transports.edge.access import Reader
from whence.transports.edge.downloads import SANDBOX
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.routes.http.findings import FlowName
from whence.transports.routes.http.subjects import Reference

HEADERS = {"Cache-Control": "private, max-age=86400", "Content-Security-Policy": SANDBOX}
ANSWERS = {
    200: {"content": {"image/jpeg": {}}, "description": "A small JPEG"},
    204: {"description": "It names no picture, or its site does not give it"},
}


def evidence_picture_routes(kind: SubjectKind) -> APIRouter:
    """The route of a kind's pictures of evidence."""
    router = APIRouter(prefix=f"/api/{kind.kind}/{{id}}/evidence", tags=[kind.kind])

    @router.get(
        "/{evidenceId}/picture",
        response_class=Response,
        responses=ANSWERS,  # pyright: ignore[reportArgumentType]
        name=f"picture_of_evidence_of_{kind.kind}",
    )
    async def picture(
        platform: CurrentPlatform,
        who: Reader,
        reference: Reference,
        evidence_id: Annotated[UUID, Path(alias="evidenceId")],
        flow: FlowName = None,
    ) -> Response:
        """The picture that a piece of the record's evidence names, scaled down; 204 without one."""
        async with platform.unit(who) as session:
            row = await store.resolve(session, kind, reference)
            place = Lane(kind.kind, row.id, platform.flow(kind.kind, flow).id)
            judged = await one(session, evidence_id, asdict(place))
        if judged is None:
            raise NotFound("This record has no such evidence.")
        url = platform.facts_of(kind.kind)(judged[1]).image_url
        pictures = _pictures(platform)
        if url and pictures and (small := await pictures.small(who.org_id, url)):
            return Response(small, media_type="image/jpeg", headers=HEADERS)
        return Response(status_code=204, headers=HEADERS)

    del picture
    return router


def _pictures(platform: CurrentPlatform) -> EvidencePictures | None:
    """None where no pack can open pictures."""
    try:
        return platform.services.get(EvidencePictures)
    except Misconfigured:
        return None
