"""The events clients may send over Socket.IO, each with its payload and required scope.

The namespaces accept nothing else, and the access test is generated from this list: an event
without a rule does not exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from pydantic import BeforeValidator, Field

from whence.chat.proposals.views import Applied
from whence.chat.transcript.messages import CLIENT_ID_LIMIT, CONTENT_LIMIT
from whence.kernel.wire import Wire
from whence.tenancy.principal import Scope
from whence.transports.edge.bodies import MAX_INTEGER
from whence.transports.routes.http.turns import TurnBegun, TurnStopped

RESEARCH = "/research"
CHAT = "/chat"


def _no_boolean(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("a number is needed, not true or false")
    return value


After = Annotated[int, Field(ge=0, le=MAX_INTEGER), BeforeValidator(_no_boolean)]


class Subscribe(Wire):
    """`subscribe_job`: events after `after` (default: all)."""

    job_id: UUID
    after: After = 0


class Unsubscribe(Wire):
    """`unsubscribe_job`: no more events of this job."""

    job_id: UUID


class Join(Wire):
    """`join_session`: the current conversation, then its events; with `after`, the events after
    it."""

    session_id: UUID
    after: After | None = None


class Leave(Wire):
    """`leave_session`: no more events of this conversation."""

    session_id: UUID


class Send(Wire):
    """`send_message`: a message, or wizard input.

    With a `clientMessageId`, sending it again has no second effect; without one, each is new.
    """

    session_id: UUID
    content: Annotated[str, Field(max_length=CONTENT_LIMIT)] = ""
    client_message_id: Annotated[str, Field(min_length=1, max_length=CLIENT_ID_LIMIT)] | None = None
    wizard_input: dict[str, Any] | None = None


class Stop(Wire):
    """`stop`: end the answer in progress, and keep its text so far."""

    session_id: UUID


class Regenerate(Wire):
    """`regenerate`: answer the last message again."""

    session_id: UUID


class ApplyAction(Wire):
    """`apply_action`: apply a change that an answer proposed."""

    message_id: UUID
    action_index: Annotated[int, Field(ge=0, le=1000)]
    reason: Annotated[str, Field(max_length=2000)] | None = None


class ActionDone(Wire):
    """The change that was applied."""

    applied: Applied


@dataclass(frozen=True)
class ClientEvent:
    """An event clients send."""

    namespace: str
    name: str
    payload: type[Wire]
    scope: Scope
    """What the principal needs; checked each time the event arrives."""
    talks: bool = False
    """The event continues a conversation, which a read-only token may not do."""
    answer: type[Wire] | None = None
    """What the acknowledgement holds beside `ok`."""


CLIENT_EVENTS: tuple[ClientEvent, ...] = (
    ClientEvent(RESEARCH, "subscribe_job", Subscribe, Scope.READ),
    ClientEvent(RESEARCH, "unsubscribe_job", Unsubscribe, Scope.READ),
    ClientEvent(CHAT, "join_session", Join, Scope.READ),
    ClientEvent(CHAT, "leave_session", Leave, Scope.READ),
    ClientEvent(CHAT, "send_message", Send, Scope.READ, talks=True, answer=TurnBegun),
    ClientEvent(CHAT, "stop", Stop, Scope.READ, talks=True, answer=TurnStopped),
    ClientEvent(CHAT, "regenerate", Regenerate, Scope.READ, talks=True, answer=TurnBegun),
    ClientEvent(CHAT, "apply_action", ApplyAction, Scope.WRITE, answer=ActionDone),
)


def events_of(namespace: str) -> dict[str, ClientEvent]:
    """The events of one namespace, by name."""
    return {event.name: event for event in CLIENT_EVENTS if event.namespace == namespace}
