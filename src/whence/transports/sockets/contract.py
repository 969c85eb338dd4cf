"""What a client may send over Socket.IO: every event with its payload and the scope that it needs.

The namespaces take nothing that is not listed here, and the test of access is made from this list:
an event without a rule does not exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from pydantic import Field

from whence.kernel.wire import Wire
from whence.tenancy.principal import Scope
from whence.transports.http.bodies import MAX_INTEGER

RESEARCH = "/research"


class Subscribe(Wire):
    """`subscribe_job`: events after `after` (default: all)."""

    job_id: UUID
    after: Annotated[int, Field(ge=0, le=MAX_INTEGER)] = 0


class Unsubscribe(Wire):
    """`unsubscribe_job`: no more events of this job."""

    job_id: UUID


@dataclass(frozen=True)
class ClientEvent:
    """One event that clients send."""

    namespace: str
    name: str
    payload: type[Wire]
    scope: Scope
    """What the principal needs, looked up anew each time the event comes."""


CLIENT_EVENTS: tuple[ClientEvent, ...] = (
    ClientEvent(RESEARCH, "subscribe_job", Subscribe, Scope.READ),
    ClientEvent(RESEARCH, "unsubscribe_job", Unsubscribe, Scope.READ),
)


def events_of(namespace: str) -> dict[str, ClientEvent]:
    """The events of one namespace, by name."""
    return {event.name: event for event in CLIENT_EVENTS if event.namespace == namespace}
