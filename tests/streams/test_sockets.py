"""Socket.IO `/research` with a real client: who gets in, acknowledgements, and bounds."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest
import socketio
from socketio.exceptions import ConnectionError as Refused

from whence.app.platform import Platform
from whence.kernel.ids import new_id
from whence.tenancy import sessions, tokens
from whence.tenancy.principal import Principal, Role, Scope
from whence.transports.routes.sockets import namespace, research, server
from whence.transports.routes.sockets.contract import CLIENT_EVENTS, RESEARCH, events_of

pytestmark = pytest.mark.anyio
NAMESPACE = "/research"
Connect = Callable[..., Awaitable[socketio.AsyncClient]]


@pytest.fixture
async def connect(platform: Platform, serve: str) -> AsyncIterator[Connect]:
    """`await connect(principal)`: a connected client; `events` on it lists what it was sent."""
    async with AsyncExitStack() as stack:

        async def make(who: Principal | None = None, **options: Any) -> socketio.AsyncClient:
            client = socketio.AsyncClient(reconnection=False)
            client.events = []

            async def receive(name: str, data: Any) -> None:
                client.events.append((name, data))

            client.on("*", receive, namespace=NAMESPACE)
            if who:
                options["auth"] = {"token": await tokens.issue(platform.db, who, "socket")}
            stack.push_async_callback(client.shutdown)
            await client.connect(serve, namespaces=[NAMESPACE], wait_timeout=30, **options)
            return client

        yield make


async def ask(client: socketio.AsyncClient, event: str, data: Any = None) -> dict[str, Any]:
    return await client.call(event, data, namespace=NAMESPACE, timeout=20)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.02)


def tails() -> int:
    """Tasks of this process (the server runs in it) that follow a run for a socket."""
    return sum(task.get_name().startswith("socket-") for task in asyncio.all_tasks())


async def job_of(owner: httpx.AsyncClient) -> str:
    made = (await owner.post("/api/notes", json={"title": "A", "text": "b"})).json()["id"]
    return (await owner.post(f"/api/notes/{made}/research")).json()["jobId"]


async def test_a_socket_without_a_valid_token_is_refused(connect: Connect) -> None:
    for auth in (None, {}, {"token": "whence_x"}, {"token": 5}, {"token": "\x00"}, "text", [1]):
        with pytest.raises(Refused):
            await connect(auth=auth)


async def test_a_browser_connects_with_its_session_cookie_and_only_from_its_own_origin(
    platform: Platform, serve: str, connect: Connect, owner: httpx.AsyncClient
) -> None:
    started = await sessions.start(
        platform.db, platform.owner, label="Firefox", settings=platform.settings
    )
    cookie = {"Cookie": f"whence_access={started.access}"}
    client = await connect(headers=cookie | {"Origin": serve})
    assert await ask(client, "subscribe_job", {"jobId": await job_of(owner)}) == {"ok": True}
    with pytest.raises(Refused):
        await connect(headers=cookie | {"Origin": "https://evil.example"})
    with pytest.raises(Refused):
        await connect(headers={"Host": "evil.example"} | cookie)


async def test_the_snapshot_is_the_job_as_rest_answers_it(
    platform: Platform, owner: httpx.AsyncClient, connect: Connect
) -> None:
    note = (await owner.post("/api/notes", json={"title": "A", "text": "b"})).json()["id"]
    job_id = (await owner.post(f"/api/notes/{note}/research")).json()["jobId"]
    client = await connect(platform.owner)
    assert await ask(client, "subscribe_job", {"jobId": job_id}) == {"ok": True}
    await until(lambda: len(client.events) > 1)
    job = (await owner.get(f"/api/notes/{note}/research/jobs/{job_id}")).json()
    assert client.events[0] == ("job_status", job | {"lastSeq": 1})
    assert client.events[1][0] == "job_queued"


async def test_another_organizations_job_is_not_found(
    owner: httpx.AsyncClient, connect: Connect, new_principal: Any
) -> None:
    stranger = await connect(new_principal(Role.OWNER))
    for job_id in (await job_of(owner), str(new_id())):
        answer = await ask(stranger, "subscribe_job", {"jobId": job_id})
        assert (answer["ok"], answer["error"]["type"]) == (False, "/problems/not-found")
    assert (tails(), stranger.events) == (0, [])


MALFORMED: list[tuple[str, Any]] = [
    ("subscribe_job", None),
    ("subscribe_job", "text"),
    ("subscribe_job", 5),
    ("subscribe_job", []),
    ("subscribe_job", ({}, {})),
    ("subscribe_job", {}),
    ("subscribe_job", {"jobId": None}),
    ("subscribe_job", {"jobId": "x" * 5000}),
    ("subscribe_job", {"jobId": "\x00"}),
    ("subscribe_job", {"jobId": str(new_id()), "after": -1}),
    ("subscribe_job", {"jobId": str(new_id()), "after": 10**30}),
    ("subscribe_job", {"jobId": str(new_id()), "after": "soon"}),
    ("subscribe_job", {"jobId": str(new_id()), "orgId": "x"}),
    ("unsubscribe_job", {"job": 1}),
    ("no_such_event", {}),
    ("trigger_event", {}),
]


async def test_every_client_event_is_acknowledged_however_malformed(
    platform: Platform, connect: Connect
) -> None:
    client = await connect(platform.owner)
    for event, payload in MALFORMED:
        answer = await ask(client, event, payload)
        assert answer["ok"] is False, (event, payload)
        assert answer["error"]["type"] == "/problems/invalid", (event, payload)
        assert client.connected


async def test_a_cursor_that_does_not_exist_gets_a_gap_and_a_snapshot(
    platform: Platform, owner: httpx.AsyncClient, connect: Connect
) -> None:
    client = await connect(platform.owner)
    await ask(client, "subscribe_job", {"jobId": await job_of(owner), "after": 99})
    await until(lambda: len(client.events) == 2)
    (gap, reported), (status, job) = client.events
    assert (gap, reported["after"], reported["lastSeq"]) == ("gap", 99, 1)
    assert (status, job["status"]) == ("job_status", "pending")


async def test_one_task_follows_each_job_and_all_end_with_the_socket(
    platform: Platform, owner: httpx.AsyncClient, connect: Connect
) -> None:
    client = await connect(platform.owner)
    jobs = [await job_of(owner), await job_of(owner)]
    for job_id in jobs * 2:
        assert await ask(client, "subscribe_job", {"jobId": job_id}) == {"ok": True}
    await until(lambda: tails() == 2)
    assert await ask(client, "unsubscribe_job", {"jobId": jobs[0]}) == {"ok": True}
    await until(lambda: tails() == 1)
    assert await ask(client, "unsubscribe_job", {"jobId": jobs[0]}) == {"ok": True}
    await client.disconnect()
    await until(lambda: tails() == 0)


async def test_a_finished_job_is_told_whole_and_then_followed_no_more(
    platform: Platform, owner: httpx.AsyncClient, connect: Connect
) -> None:
    note = (await owner.post("/api/notes", json={"title": "A", "text": "b"})).json()["id"]
    job_id = (await owner.post(f"/api/notes/{note}/research")).json()["jobId"]
    await owner.post(f"/api/notes/{note}/research/jobs/{job_id}/cancel")
    client = await connect(platform.owner)
    await ask(client, "subscribe_job", {"jobId": job_id})
    await until(lambda: len(client.events) == 3)
    assert [name for name, _ in client.events] == ["job_status", "job_queued", "job_complete"]
    await ask(client, "subscribe_job", {"jobId": job_id, "after": 2})
    await until(lambda: len(client.events) == 4 and tails() == 0)
    assert client.events[-1][0] == "job_status"


async def test_one_socket_watches_a_bounded_number_of_jobs(
    platform: Platform,
    connect: Connect,
    owner: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(research, "MAX_SUBSCRIPTIONS", 2)
    client = await connect(platform.owner)
    for _ in range(2):
        assert (await ask(client, "subscribe_job", {"jobId": await job_of(owner)}))["ok"]
    refused = await ask(client, "subscribe_job", {"jobId": await job_of(owner)})
    assert (refused["ok"], refused["error"]["type"]) == (False, "/problems/invalid")


async def handshake(anonymous: httpx.AsyncClient) -> str:
    path = "/socket.io/?EIO=4&transport=polling"
    opened = await anonymous.get(path)
    return f"{path}&sid={json.loads(opened.text[1:])['sid']}"


async def test_a_client_that_sends_and_never_reads_is_cut_off(
    platform: Platform, anonymous: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(namespace, "MAX_UNREAD", 20)
    token = await tokens.issue(platform.db, platform.owner, "socket")
    path = await handshake(anonymous)
    await anonymous.post(path, content=f'40/research,{{"token":"{token}"}}')
    answered = 0
    while (await anonymous.post(path, content=f'42/research,{answered}["x"]')).text == "OK":
        answered += 1
        assert answered < 40
    assert (await anonymous.get(path)).status_code == 400


async def test_a_connection_that_never_says_who_it_is_is_cut_off(
    anonymous: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "CONNECT_SECONDS", 0.3)
    path = await handshake(anonymous)
    assert (await anonymous.get(path)).status_code == 200  # it waits for packets until it is cut
    assert (await anonymous.get(path)).status_code == 400


async def test_a_connection_that_said_who_it_is_stays(
    platform: Platform, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "CONNECT_SECONDS", 0.3)
    client = await connect(platform.owner)
    await asyncio.sleep(0.6)
    assert client.connected


def test_every_event_of_the_contract_has_a_scope_and_is_told_apart_by_its_payload() -> None:
    assert len({(event.namespace, event.name) for event in CLIENT_EVENTS}) == len(CLIENT_EVENTS)
    assert len({event.payload for event in CLIENT_EVENTS}) == len(CLIENT_EVENTS)
    assert all(isinstance(event.scope, Scope) for event in CLIENT_EVENTS)


async def test_every_event_of_the_contract_is_handled(
    platform: Platform, owner: httpx.AsyncClient, connect: Connect
) -> None:
    client = await connect(platform.owner)
    job_id = await job_of(owner)
    # Those of conversations: tests/security/test_socket_access.py sends every one of them.
    for event in events_of(RESEARCH).values():
        assert await ask(client, event.name, {"jobId": job_id}) == {"ok": True}, event
