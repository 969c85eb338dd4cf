"""Who may send what over Socket.IO: every event of the contract by everybody who could knock.

The rule of each event stands in `transports/expected_access.toml`, by hand; an event that is not in
`CLIENT_EVENTS` is refused by the server.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
import socketio
from pydantic import BaseModel

from transports.expected_access import written_rules
from whence.app.platform import Platform
from whence.chat.transcript import sessions as sessions_of
from whence.kernel.ids import new_id
from whence.kernel.text import camel
from whence.records import store
from whence.research import runs
from whence.tenancy import sessions, tokens
from whence.tenancy.principal import Principal, Role, Scope
from whence.transports.routes.sockets.contract import CLIENT_EVENTS, ClientEvent

pytestmark = pytest.mark.anyio
KEPT_OUT = ("anonymous", "revoked token", "ended session", "token that may only write", "garbage")
LET_IN = ("viewer", "member", "owner", "other organization", "read-only token")
Knock = Callable[[str, str], Awaitable[socketio.AsyncClient]]


@pytest.fixture
async def job(platform: Platform) -> UUID:
    """A pending run of the owner's organization."""
    kind, owner = platform.kind("notes"), platform.owner
    async with platform.unit(owner) as session:
        record = kind.record(title="A note", text="four words stand here")
        note = await store.create(session, owner, kind, record)
        flow = platform.flow("notes", None)
        submitted = await runs.request(session, platform.queue, owner, kind, flow, note.id)
    return submitted.id


@pytest.fixture
def people(platform: Platform, new_principal: Any) -> dict[str, Principal]:
    """Those who are let in with a session of their own."""
    return {
        "viewer": new_principal(Role.VIEWER, platform.owner.org_id),
        "member": new_principal(Role.MEMBER, platform.owner.org_id),
        "owner": platform.owner,
        "other organization": new_principal(Role.OWNER),
    }


@pytest.fixture
async def secret_of(
    platform: Platform, people: dict[str, Principal]
) -> Callable[[str], Awaitable[str]]:
    """A credential of each kind of caller."""

    async def secret(name: str) -> str:
        db, settings = platform.db, platform.settings
        match name:
            case "anonymous":
                return ""
            case "garbage":
                return "whence_" + "x" * 40
            case "token that may only write":
                return await tokens.issue(db, platform.owner, name, scopes=[Scope.WRITE])
            case "read-only token":
                return await tokens.issue(db, platform.owner, name, scopes=[Scope.READ])
            case "revoked token":
                label = f"{name} {new_id()}"
                token = await tokens.issue(db, platform.owner, label)
                [row] = [r for r in await tokens.listed(db, platform.owner) if r.name == label]
                await tokens.revoke(db, platform.owner, row.id)
                return token
            case "ended session":
                started = await sessions.start(db, platform.owner, label=name, settings=settings)
                assert started.who.credential
                await sessions.end(db, started.who, started.who.credential)
                return started.access
            case _:
                who = people[name]
                return (await sessions.start(db, who, label=name, settings=settings)).access

    return secret


@pytest.fixture
async def knock(serve: str, secret_of: Callable[[str], Awaitable[str]]) -> AsyncIterator[Knock]:
    """`await knock("viewer", "/research")`: a client of that caller, connected."""
    async with AsyncExitStack() as stack:

        async def connect(name: str, namespace: str) -> socketio.AsyncClient:
            client = socketio.AsyncClient(reconnection=False)
            stack.push_async_callback(client.disconnect)
            auth = {"token": await secret_of(name)}
            await client.connect(serve, auth=auth, namespaces=[namespace], wait_timeout=10)
            return client

        yield connect


@dataclass(frozen=True)
class Things:
    """What events name: a job of the organization, and a conversation of the caller's own."""

    job_id: str
    session_id: str
    message_id: str
    client_message_id: str = "once"
    action_index: int = 0


UNKNOWN = Things(*(str(new_id()) for _ in range(3)))


def sent_for(event: ClientEvent, things: Things) -> dict[str, Any]:
    """A payload that names the things that the event needs; fails for what is new here."""
    payload: dict[str, Any] = {}
    fields: type[BaseModel] = event.payload
    for name, field in fields.model_fields.items():
        if field.is_required():
            assert hasattr(things, name), f"{event.name} needs {name}: say what the matrix sends"
            payload[camel(name)] = getattr(things, name)
    return payload | ({"content": "How long is it?"} if "content" in fields.model_fields else {})


@pytest.fixture
async def things_of(
    platform: Platform, job: UUID, people: dict[str, Principal]
) -> Callable[[str], Awaitable[Things]]:
    """The job, and a conversation of that caller with an answer that proposes a change."""

    async def make_things(name: str) -> Things:
        who = people.get(name, platform.owner)
        if who.org_id != platform.owner.org_id:
            who = platform.owner
        async with platform.unit(who) as session:
            run = await runs.get(session, job)
            conversation = await sessions_of.open_session(session, who, "notes", run.subject_id)
        begun = await platform.turns.send(who, conversation.id, "set the title to Another", "first")
        await platform.turns.wait_for_turn(begun.turn_id)
        return Things(str(job), str(conversation.id), str(begun.answer.id))

    return make_things


async def send(client: socketio.AsyncClient, event: ClientEvent, payload: Any) -> Any:
    return await client.call(event.name, payload, namespace=event.namespace, timeout=10)


def kind_of(answer: dict[str, Any]) -> str:
    return "" if answer["ok"] else answer["error"]["type"].removeprefix("/problems/")


@pytest.mark.parametrize("name", KEPT_OUT)
async def test_who_may_not_read_does_not_even_come_in(knock: Knock, name: str) -> None:
    for namespace in {event.namespace for event in CLIENT_EVENTS}:
        with pytest.raises(socketio.exceptions.ConnectionError):
            await knock(name, namespace)


@pytest.mark.parametrize("event", CLIENT_EVENTS, ids=lambda event: event.name)
@pytest.mark.parametrize("name", LET_IN)
async def test_everybody_gets_what_the_rule_of_the_event_says(
    knock: Knock,
    things_of: Callable[[str], Awaitable[Things]],
    event: ClientEvent,
    name: str,
) -> None:
    things = await things_of(name)
    client = await knock(name, event.namespace)
    events: list[Any] = []
    client.on("*", lambda *event_args: events.append(event_args), namespace=event.namespace)
    answer = kind_of(await send(client, event, sent_for(event, things)))
    only_reads = name in ("viewer", "read-only token")
    rule = written_rules()[f"{event.namespace} {event.name}"]
    if (rule == "write" and only_reads) or (rule == "talk" and name == "read-only token"):
        assert answer == "forbidden"
        # Before anything is looked for, as over HTTP.
        assert kind_of(await send(client, event, sent_for(event, UNKNOWN))) == "forbidden"
    elif name == "other organization":
        # As for a job that does not exist, and nothing follows it for this client.
        assert answer == kind_of(await send(client, event, sent_for(event, UNKNOWN)))
        followers = [task for task in asyncio.all_tasks() if task.get_name().startswith("socket-")]
        assert (followers, events) == ([], [])
    else:
        assert answer == ""


@pytest.mark.parametrize("namespace", sorted({event.namespace for event in CLIENT_EVENTS}))
async def test_an_event_outside_of_the_contract_is_refused_even_to_an_owner(
    knock: Knock, namespace: str
) -> None:
    client = await knock("owner", namespace)
    answer = await client.call("delete_everything", {}, namespace=namespace, timeout=10)
    assert answer["ok"] is False
