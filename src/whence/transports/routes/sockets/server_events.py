"""The events that the server sends over Socket.IO, each with the model of its payload.

`docs/reference/socket.d.ts` is written from this list and from `contract.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from whence.chat.transcript.event_types import CHAT_EVENTS
from whence.chat.transcript.views import MessageAnswer, SessionAnswer
from whence.events.types import RUN_EVENTS
from whence.kernel.wire import Wire
from whence.transports.edge.problems import Problem
from whence.transports.routes.job_view import Job
from whence.transports.routes.sockets.contract import CHAT, RESEARCH
from whence.transports.routes.streams import chat_stream, work_stream
from whence.transports.routes.streams.event_stream import ACCESS_ENDED, GAP


class ChatStatus(SessionAnswer):
    """A conversation with its newest messages, oldest first."""

    session_id: UUID
    messages: list[MessageAnswer]
    last_seq: int
    """The cursor: the events after it follow."""


class LostEvents(Wire):
    """The client's cursor cannot be followed; a snapshot comes next."""

    after: int
    first_seq: int
    last_seq: int


@dataclass(frozen=True)
class ServerEvent:
    """An event the server sends."""

    namespace: str
    name: str
    payload: type[Wire]
    more: Mapping[str, str] = field(default_factory=dict[str, str])
    """Fields beside the payload's own, with their JSON types; `?` marks an optional one."""


_JOB = {"jobId": "string"}
_SESSION = {"sessionId": "string"}
_SEQ = {"seq": "integer"}
SERVER_EVENTS: tuple[ServerEvent, ...] = (
    ServerEvent(RESEARCH, work_stream.SNAPSHOT, Job, {"lastSeq": "integer", "itemId?": "string"}),
    *(ServerEvent(RESEARCH, event.type, event, _JOB | _SEQ) for event in RUN_EVENTS),
    ServerEvent(RESEARCH, GAP, LostEvents, _JOB),
    ServerEvent(RESEARCH, ACCESS_ENDED, Problem),
    ServerEvent(CHAT, chat_stream.SNAPSHOT, ChatStatus),
    *(ServerEvent(CHAT, event.type, event, _SESSION | _SEQ) for event in CHAT_EVENTS),
    ServerEvent(CHAT, GAP, LostEvents, _SESSION),
    ServerEvent(CHAT, ACCESS_ENDED, Problem, {"sessionId?": "string"}),
)
