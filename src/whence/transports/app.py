"""The whole network side of one process: Socket.IO around the HTTP application."""

from __future__ import annotations

import socketio
from starlette.types import ASGIApp

from whence.sdk.platform import Platform
from whence.transports.http.application import application
from whence.transports.http.hosts import OwnHostOnly
from whence.transports.sockets.research import research_server
from whence.transports.sse import run_events


def asgi(built: Platform, host: str | None = None) -> ASGIApp:
    """The ASGI application of a built program: REST, server-sent events and Socket.IO.

    It answers for this machine's own names and for `host` (default: the setting).
    """
    http = application(built, more=[run_events.router])
    both: ASGIApp = socketio.ASGIApp(research_server(built), other_asgi_app=http)
    return OwnHostOnly(both, host or built.settings.host)
