"""From a new record to its dossier, over a real server with a real worker."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any
from uuid import UUID

import httpx
import pytest
import socketio

from whence.app.platform import Platform
from whence.tenancy import tokens
from whence.transports.routes.sse import stream

pytestmark = pytest.mark.anyio
NODES = ["read_note", "count", "persist_results"]
Event = tuple[str, dict[str, Any]]


async def note(client: httpx.AsyncClient, text: str = "one two three") -> str:
    made = await client.post("/api/notes", json={"title": "A note", "text": text})
    assert made.status_code == 201, made.text
    return made.json()["id"]


async def research(client: httpx.AsyncClient, note_id: str) -> str:
    request = await client.post(f"/api/notes/{note_id}/research", json={})
    assert request.status_code == 202, request.text
    return request.json()["jobId"]


async def events(
    client: httpx.AsyncClient, job_id: str, after: int | None = None
) -> AsyncIterator[Event]:
    headers = {} if after is None else {"Last-Event-ID": str(after)}
    async with client.stream("GET", f"/api/runs/{job_id}/events", headers=headers) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        fields: dict[str, str] = {}
        async for line in answer.aiter_lines():
            if not line and "event" in fields:
                data = json.loads(fields["data"])
                seq = (
                    None if fields["event"] == "gap" else str(data.get("seq", data.get("lastSeq")))
                )
                assert fields.get("id") == seq  # a client that hears only `gap` keeps its cursor
                yield fields["event"], data
            if not line:
                fields = {}
            name, _, value = line.partition(": ")
            fields[name] = value


async def test_research_ends_in_a_dossier_whose_claims_name_their_evidence(
    owner: httpx.AsyncClient,
    worker: object,
    finished: Callable[[str], Awaitable[dict[str, Any]]],
) -> None:
    note_id = await note(owner)
    base = f"/api/notes/{note_id}"
    assert (await owner.get(f"{base}/research/latest")).json() is None

    job_id = await research(owner, note_id)
    job = await finished(f"{base}/research/jobs/{job_id}")
    assert job["status"] == "success"
    assert job["noteId"] == note_id
    assert [step["node"] for step in job["stepHistory"]] == NODES
    assert job["stepCount"] == len(NODES)
    assert set(job["spent"]) == {"calls", "tokens", "usd", "seconds"}

    dossier = (await owner.get(f"{base}/research/latest")).json()
    assert dossier["jobId"] == job_id
    assert dossier["body"] == {"words": 3}
    [claim] = dossier["claims"]
    [evidence] = (await owner.get(f"{base}/evidence")).json()["items"]
    assert [cite["evidenceId"] for cite in claim["evidence"]] == [evidence["id"]]
    assert evidence["content"] == "one two three"
    assert (evidence["included"], evidence["reason"]) == (True, "the note itself")
    excluded = (await owner.get(f"{base}/evidence", params={"included": "false"})).json()
    assert excluded == {"items": [], "nextCursor": None}


async def test_evidence_is_read_by_id_and_of_an_earlier_job(
    owner: httpx.AsyncClient,
    worker: object,
    finished: Callable[[str], Awaitable[dict[str, Any]]],
) -> None:
    base = f"/api/notes/{await note(owner)}"
    jobs: list[str] = []
    for text in ("one two", "three four"):
        await owner.patch(base, json={"text": text})
        jobs.append((await owner.post(f"{base}/research")).json()["jobId"])
        await finished(f"{base}/research/jobs/{jobs[-1]}")
    [current] = (await owner.get(f"{base}/evidence")).json()["items"]
    [earlier] = (await owner.get(f"{base}/evidence", params={"jobId": jobs[0]})).json()["items"]
    assert (earlier["content"], earlier["jobId"]) == ("one two", jobs[0])
    assert (current["content"], current["jobId"], current["type"]) == (
        "three four",
        jobs[1],
        "note",
    )
    assert (await owner.get(f"{base}/evidence/{current['id']}")).json() == current
    assert (await owner.get(f"{base}/evidence/{earlier['id']}")).json() == earlier
    of_other = {"params": {"jobId": jobs[1]}}
    assert (await owner.get(f"{base}/evidence/{earlier['id']}", **of_other)).status_code == 404
    other = f"/api/notes/{await note(owner)}"
    assert (await owner.get(f"{other}/evidence/{current['id']}")).status_code == 404
    assert (await owner.get(f"{other}/evidence", params={"jobId": jobs[0]})).status_code == 404


async def test_history_pages_from_the_newest_dossier_to_the_oldest(
    owner: httpx.AsyncClient,
    worker: object,
    finished: Callable[[str], Awaitable[dict[str, Any]]],
) -> None:
    base = f"/api/notes/{await note(owner)}"
    questions: list[str] = []
    for text in ("one", "one two", "one two three"):
        await owner.patch(base, json={"text": text})
        job_id = (await owner.post(f"{base}/research")).json()["jobId"]
        await finished(f"{base}/research/jobs/{job_id}")
        questions.append(job_id)
    job_ids: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = (await owner.get(f"{base}/research/history", params={"limit": 2, **cursor})).json()
        job_ids += [dossier["jobId"] for dossier in page["items"]]
        if page["nextCursor"] is None:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert job_ids == questions[::-1]


async def test_asking_again_while_a_job_is_under_way_joins_it(owner: httpx.AsyncClient) -> None:
    note_id = await note(owner)
    first = await research(owner, note_id)
    request = await asyncio.gather(*(research(owner, note_id) for _ in range(8)))
    assert set(request) == {first}


async def test_a_job_can_be_cancelled_and_a_cancelled_one_cannot_be_resumed(
    owner: httpx.AsyncClient,
) -> None:
    note_id = await note(owner)
    job = f"/api/notes/{note_id}/research/jobs/{await research(owner, note_id)}"
    for _ in range(2):
        assert (await owner.post(f"{job}/cancel")).json()["status"] == "cancelled"
    refused = await owner.post(f"{job}/resume")
    assert (refused.status_code, refused.json()["type"]) == (409, "/problems/conflict")


async def test_a_record_that_is_not_ready_is_refused_with_the_reason(
    owner: httpx.AsyncClient,
) -> None:
    note_id = await note(owner, text="")
    refused = await owner.post(f"/api/notes/{note_id}/research")
    assert refused.status_code == 422
    assert refused.json()["type"] == "/problems/not-ready"
    assert "the note has no text" in refused.json()["detail"]


async def test_sse_goes_on_after_a_reconnect_without_gap_or_duplicate(
    platform: Platform, owner: httpx.AsyncClient
) -> None:
    from whence.app import build

    job_id = await research(owner, await note(owner))
    first: list[Event] = []
    async with aclosing(events(owner, job_id)) as stream:
        async for event in stream:
            first.append(event)
            break  # the client loses its connection after one event
    async with build.worker(platform), asyncio.timeout(90):
        rest = [event async for event in events(owner, job_id, after=first[-1][1]["seq"])]
    received = first + rest
    assert [data["seq"] for _, data in received] == list(range(1, len(received) + 1))
    assert [data["node"] for name, data in received if name == "node_complete"] == NODES
    assert received[-1][0] == "job_complete"
    assert all(data["jobId"] == job_id for _, data in received)

    last = received[-1][1]["seq"]
    headers = {"Last-Event-ID": str(last)}
    over = await owner.get(f"/api/runs/{job_id}/events", headers=headers)
    assert over.status_code == 204, "a browser stops to reconnect at 204"


async def test_sse_tells_a_client_whose_cursor_does_not_exist_and_gives_it_a_snapshot(
    owner: httpx.AsyncClient,
) -> None:
    job_id = await research(owner, await note(owner))
    async with aclosing(events(owner, job_id, after=999)) as stream:
        gap = await anext(stream)
        snapshot = await anext(stream)
    assert (gap[0], gap[1]["after"], gap[1]["lastSeq"]) == ("gap", 999, 1)
    assert (snapshot[0], snapshot[1]["status"], snapshot[1]["lastSeq"]) == (
        "job_status",
        "pending",
        1,
    )


async def test_sse_keeps_a_quiet_connection_alive_and_forgets_a_client_that_leaves(
    platform: Platform, owner: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "PING_SECONDS", 0.05)
    job_id = await research(owner, await note(owner))
    async with owner.stream("GET", f"/api/runs/{job_id}/events") as answer, asyncio.timeout(10):
        async for line in answer.aiter_lines():
            if line == ": ping":
                break
    async with asyncio.timeout(10):
        while platform.bus.readers(UUID(job_id)):
            await asyncio.sleep(0.02)


class Listener:
    """A real Socket.IO client that keeps what it hears, in order."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.complete = asyncio.Event()
        self.client = socketio.AsyncClient(reconnection=False)
        self.client.on("*", self._on_event, namespace="/research")

    async def _on_event(self, name: str, data: dict[str, Any]) -> None:
        self.events.append((name, data))
        if name == "job_complete":
            self.complete.set()

    async def connect(self, url: str, token: str) -> None:
        await self.client.connect(
            url, auth={"token": token}, namespaces=["/research"], wait_timeout=30
        )

    async def ask(self, event: str, data: Any) -> dict[str, Any]:
        return await self.client.call(event, data, namespace="/research", timeout=10)


async def test_socket_io_goes_on_after_a_reconnect_without_gap_or_duplicate(
    platform: Platform, owner: httpx.AsyncClient, serve: str
) -> None:
    from whence.app import build

    token = await tokens.issue(platform.db, platform.owner, "socket")
    job_id = await research(owner, await note(owner))
    first, second = Listener(), Listener()
    await first.connect(serve, token)
    assert await first.ask("subscribe_job", {"jobId": job_id}) == {"ok": True}
    async with asyncio.timeout(10):
        while len(first.events) < 2:
            await asyncio.sleep(0.01)
    await first.client.disconnect()
    assert first.events[0][0] == "job_status"
    assert first.events[0][1]["status"] == "pending"
    cursor = first.events[-1][1]["seq"]

    async with build.worker(platform), asyncio.timeout(90):
        await second.connect(serve, token)
        subscription = {"jobId": job_id, "after": cursor}
        assert await second.ask("subscribe_job", subscription) == {"ok": True}
        await second.complete.wait()
    await second.client.disconnect()
    assert second.events[0][0] == "job_status"
    events = first.events[1:] + second.events[1:]
    assert [data["seq"] for _, data in events] == list(range(1, len(events) + 1))
    completed = [data for name, data in events if name == "node_complete"]
    assert [data["node"] for data in completed] == NODES
    assert all({"status", "timestamp", "seq"} <= set(data) for data in completed)
    assert events[-1][1]["status"] == "success"
    assert events[-1][1]["summary"] == "The note has 3 words."
