"""A background job's events over SSE: a reconnect goes on, and the end is told once."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from whence.app import build

pytestmark = pytest.mark.anyio


async def _events(client: httpx.AsyncClient, path: str, after: int = 0) -> list[tuple[str, str]]:
    """The stream to its end: each event's id and type."""
    events: list[tuple[str, str]] = []
    headers = {"Last-Event-ID": str(after)}
    async with client.stream("GET", path, headers=headers) as answer:
        assert answer.status_code == 200
        fields: dict[str, str] = {}
        async for line in answer.aiter_lines():
            if not line and "event" in fields:
                events.append((fields["id"], fields["event"]))
                fields = {}
            name, _, value = line.partition(": ")
            fields[name] = value
    return events


async def test_a_jobs_events_are_streamed_to_its_end_and_gone_on_with(
    platform: Any, owner: httpx.AsyncClient
) -> None:
    job = platform.jobs.get("sample_pack.recount").job
    async with platform.unit(platform.owner) as session:
        submission = await platform.jobs.enqueue(session, platform.owner, job, job.payload())
    path = f"/api/jobs/{submission.id}/events"
    async with build.worker(platform), asyncio.timeout(60):
        events = await _events(owner, path)
    assert [int(number) for number, _ in events] == list(range(1, len(events) + 1))
    types = [name for _, name in events]
    assert (types[:2], types[-1]) == (["job_queued", "job_started"], "job_complete")
    assert await _events(owner, path, after=2) == events[2:]
    over = await owner.get(path, headers={"Last-Event-ID": events[-1][0]})
    assert over.status_code == 204, "a browser stops to reconnect at 204"
    assert (await owner.get(f"/api/runs/{submission.id}/events")).status_code == 404
