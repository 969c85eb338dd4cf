"""The network side of one process: Socket.IO around the HTTP application."""

from __future__ import annotations

import socketio
from starlette.types import ASGIApp

from whence.app.platform import Platform
from whence.transports.edge.guard import guarded
from whence.transports.edge.identity import gate_of
from whence.transports.edge.request_log import RequestLog
from whence.transports.edge.stream_limits import StreamLimits
from whence.transports.edge.web_app import WebApp, built_app
from whence.transports.routes.http.application import PARTS, application, core_words
from whence.transports.routes.sockets.chat import Talk
from whence.transports.routes.sockets.research import Research
from whence.transports.routes.sockets.server import SocketServer
from whence.transports.routes.sse import agent, chat_events, work_events

STREAMS = (work_events.router, chat_events.router, agent.router)
"""Routers of the streams, beside those of the application."""


def engine_words() -> frozenset[str]:
    """The first path segments below `/api` that are whence's own."""
    return core_words([*(part.router for part in PARTS), *STREAMS])


def asgi(platform: Platform, host: str | None = None) -> ASGIApp:
    """The ASGI application of a platform: REST, streams, Socket.IO, and the web application where
    it is built.

    It serves this machine's own names and `host` (default: the setting).
    """
    gate = gate_of(platform, host)
    http = application(
        platform,
        more=STREAMS,
        gate=gate,
    )
    http.state.stream_limits = stream_limits = StreamLimits(platform)
    server = SocketServer()
    server.register_namespace(Research(platform, server, stream_limits))
    server.register_namespace(Talk(platform, server, stream_limits))
    built = built_app(platform.settings.web_dir)
    pages: ASGIApp = WebApp(http, built) if built else http
    both: ASGIApp = socketio.ASGIApp(server, other_asgi_app=pages)
    return RequestLog(guarded(both, gate, server.is_open))
