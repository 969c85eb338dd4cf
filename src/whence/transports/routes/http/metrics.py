"""`GET /metrics`: this process and the queue, for Prometheus."""

from __future__ import annotations

import secrets

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from whence.kernel.errors import Forbidden, Unauthorized
from whence.kernel.settings import Settings
from whence.transports.edge.access import PUBLIC
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.edge.process_metrics import scraped
from whence.transports.edge.request_log import request_of

router = APIRouter(tags=["health"], dependencies=[PUBLIC])


class OnlyFromHere(Forbidden):
    """Metrics are available only to this machine; to read them from elsewhere or through a proxy,
    set WHENCE_METRICS_TOKEN and send it as a bearer token."""


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(platform: CurrentPlatform, request: Request) -> Response:
    """Metrics in Prometheus' text format.  With `WHENCE_METRICS_TOKEN`: only with it as a bearer
    token; without: only for programs on this machine."""
    watched = request_of(request.scope)
    require_operator(
        platform.settings,
        request.headers.get("authorization", ""),
        is_direct=watched is not None and watched.is_direct,
    )
    return Response(await scraped(platform), media_type=CONTENT_TYPE_LATEST)


def require_operator(settings: Settings, authorization: str, *, is_direct: bool) -> None:
    """Raise unless the sender operates this installation.

    A proxy on this machine connects from loopback too, but what it forwards is not `is_direct`.
    """
    if settings.metrics_token is None:
        if not is_direct:
            raise OnlyFromHere
        return
    scheme, _, sent = authorization.partition(" ")
    wanted = settings.metrics_token.get_secret_value()
    if scheme.lower() != "bearer" or not secrets.compare_digest(
        sent.strip().encode(), wanted.encode()
    ):
        raise Unauthorized("Send WHENCE_METRICS_TOKEN as a bearer token.")
