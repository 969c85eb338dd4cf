"""The organization's runs and their logs over HTTP, of whatever kind of record."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from whence.app.platform import Platform
from whence.tenancy.principal import Principal

pytestmark = pytest.mark.anyio


async def researched(client: httpx.AsyncClient, kind: str, **fields: Any) -> dict[str, Any]:
    record = (await client.post(f"/api/{kind}", json=fields)).json()["id"]
    begun = await client.post(f"/api/{kind}/{record}/research")
    assert begun.status_code == 202, begun.text
    run: dict[str, Any] = {}
    async with asyncio.timeout(90):
        while run.get("status") not in ("success", "error"):
            await asyncio.sleep(0.05)
            run = (await client.get(f"/api/runs/{begun.json()['jobId']}")).json()
    return run


async def test_runs_of_every_kind_are_listed_filtered_and_counted(
    owner: httpx.AsyncClient, worker: object, platform: Platform
) -> None:
    note = await researched(owner, "notes", title="Why ferries wait", text="one two")
    item = await researched(owner, "items", title="A lamp")
    first = (await owner.get("/api/runs", params={"limit": 1})).json()
    rest = await owner.get("/api/runs", params={"limit": 1, "cursor": first["nextCursor"]})
    assert [each["id"] for each in first["items"] + rest.json()["items"]] == [
        item["id"],
        note["id"],
    ]
    assert rest.json()["nextCursor"] is None

    [line] = (await owner.get("/api/runs", params={"kind": "notes", "status": "success"})).json()[
        "items"
    ]
    assert (line["title"], line["flow"], line["status"]) == (
        "Why ferries wait",
        "research",
        "success",
    )
    assert line["requestedBy"] == str(platform.owner.user_id)
    for nothing in ({"status": "error"}, {"from": "2999-01-01T00:00:00Z"}, {"lane": "shadow"}):
        assert (await owner.get("/api/runs", params=nothing)).json()["items"] == []

    counts = (await owner.get("/api/runs/counts", params={"kind": "notes"})).json()
    assert counts["total"] == 1
    assert {each["value"]: each["count"] for each in counts["kind"]} == {"notes": 1, "items": 1}
    assert [each["count"] for each in counts["requestedBy"]] == [1]


async def test_a_run_is_read_with_its_steps_its_events_and_its_tool_calls(
    owner: httpx.AsyncClient, worker: object
) -> None:
    run = await researched(owner, "notes", title="A note", text="one two three")
    assert (run["kind"], run["title"], run["type"]) == ("notes", "A note", "research")
    node = run["stepHistory"][0]["node"]

    address = f"/api/runs/{run['id']}"
    events = (await owner.get(f"{address}/log", params={"limit": 100})).json()["items"]
    assert [each["seq"] for each in events] == list(range(len(events), 0, -1))
    assert (events[0]["type"], events[-1]["type"]) == ("job_complete", "job_queued")
    page = (await owner.get(f"{address}/log", params={"limit": 2})).json()
    more = await owner.get(f"{address}/log", params={"limit": 2, "cursor": page["nextCursor"]})
    assert [each["seq"] for each in page["items"] + more.json()["items"]] == [
        each["seq"] for each in events[:4]
    ]
    of_node = (await owner.get(f"{address}/log", params={"node": node})).json()["items"]
    assert {each["payload"]["node"] for each in of_node} == {node}

    calls = (await owner.get(f"{address}/tool-calls")).json()["items"]
    assert [(each["tool"], each["outcome"]) for each in calls] == [("count_words", "ok")]
    assert calls[0]["arguments"] == {"text": "one two three"}
    assert (await owner.get(f"{address}/tool-calls", params={"node": "none"})).json()["items"] == []
    assert (await owner.get(f"{address}/model-calls")).json() == {"items": [], "nextCursor": None}


async def test_another_organization_finds_neither_the_run_nor_its_logs(
    owner: httpx.AsyncClient, worker: object, signed_in: Any, new_principal: Any
) -> None:
    run = await researched(owner, "notes", title="A note", text="one")
    stranger: Principal = new_principal()
    other = await signed_in(stranger)
    assert (await other.get("/api/runs")).json()["items"] == []
    assert (await other.get("/api/runs/counts")).json()["total"] == 0
    for path in ("", "/log", "/model-calls", "/tool-calls"):
        assert (await other.get(f"/api/runs/{run['id']}{path}")).status_code == 404


async def test_work_that_has_not_ended_is_listed(owner: httpx.AsyncClient) -> None:
    assert (await owner.get("/api/work")).json()["runs"] == []
    note = (await owner.post("/api/notes", json={"title": "A", "text": "b"})).json()["id"]
    begun = (await owner.post(f"/api/notes/{note}/research")).json()["jobId"]
    work = (await owner.get("/api/work")).json()
    assert [(each["id"], each["status"]) for each in work["runs"]] == [(begun, "pending")]
    assert work["counts"] == {"pending": 1, "running": 0, "paused": 0}


async def test_the_times_of_a_schedule_are_shown_before_it_is_created(
    owner: httpx.AsyncClient,
) -> None:
    weekly = {"cron": "0 6 * * mon", "timeZone": "Europe/Berlin"}
    times = (await owner.get("/api/schedules/times", params=weekly)).json()
    assert times["description"] == "At 06:00 on Monday (Europe/Berlin)"
    assert len(times["next"]) == 5
    wrong = await owner.get("/api/schedules/times", params={"cron": "0 25 * * *"})
    assert (wrong.status_code, "bad hour" in wrong.json()["detail"]) == (422, True)
    often = await owner.get("/api/schedules/times", params={"everySeconds": 5})
    assert "every 60 seconds at most" in often.json()["detail"]


async def test_jobs_come_in_pages_with_their_types(
    owner: httpx.AsyncClient, platform: Platform
) -> None:
    job = platform.jobs.get("sample_pack.recount").job
    async with platform.unit(platform.owner) as session:
        made = [
            str((await platform.jobs.enqueue(session, platform.owner, job, job.payload())).id)
            for _ in range(3)
        ]
    first = (await owner.get("/api/jobs", params={"limit": 2})).json()
    rest = (await owner.get("/api/jobs", params={"cursor": first["nextCursor"]})).json()
    assert [each["id"] for each in first["jobs"] + rest["jobs"]] == made[::-1]
    types = {each["type"]: each for each in (await owner.get("/api/jobs/types")).json()}
    assert types["sample_pack.recount"]["title"]
    assert "research_records" in types
    events = (await owner.get(f"/api/jobs/{made[0]}/log")).json()["items"]
    assert [each["type"] for each in events] == ["job_queued"]
