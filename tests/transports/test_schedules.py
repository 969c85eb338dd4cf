"""Schedules over REST: set, read in pages, changed, started, removed; what is wrong is named."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from whence.tenancy import tokens

pytestmark = pytest.mark.anyio
PATH = "/api/schedules"
WEEKLY = {
    "title": "Notes, weekly",
    "job": "research_records",
    "payload": {"kind": "notes", "filters": {"title": ["A"]}},
    "cron": "0 6 * * mon",
    "timeZone": "Europe/Berlin",
}


@pytest.fixture
async def client(platform: Any, serve: str) -> Any:
    token = await tokens.issue(platform.db, platform.owner, "scheduler")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=60) as client:
        yield client


async def test_a_schedule_is_set_changed_started_and_removed(client: Any) -> None:
    answer = await client.post(PATH, json=WEEKLY)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    address = answer.headers["Location"]
    assert address == f"{PATH}/{made['id']}"
    assert made["description"] == "At 06:00 on Monday (Europe/Berlin)"
    assert made["payload"] == WEEKLY["payload"]
    assert made["nextAt"]
    assert (made["lastAt"], made["isKnown"], made["declaredAs"]) == (None, True, None)

    changed = await client.patch(address, json={"everySeconds": 7200, "paused": True})
    assert (changed.json()["cron"], changed.json()["everySeconds"]) == (None, 7200)
    assert changed.json()["nextAt"] is None

    started = (await client.post(f"{address}/start")).json()
    assert (started["lastOutcome"], started["lastJobStatus"]) == ("started", "pending")
    job = (await client.get(f"/api/jobs/{started['lastJobId']}")).json()
    assert (job["type"], job["priority"]) == ("research_records", "low")
    assert (job["payload"]["kind"], job["requestedByName"]) == ("notes", "System")
    assert (await client.get(address)).json() == started

    assert (await client.delete(address)).status_code == 204
    assert (await client.get(address)).status_code == 404


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"cron": "0 25 * * *"}, "'0 25 * * *' is not a cron expression: bad hour"),
        ({"timeZone": "Mars/Base"}, "no time zone 'Mars/Base'"),
        ({"everySeconds": 3600}, "either a cron expression or an interval"),
        ({"cron": None}, "either a cron expression or an interval"),
        ({"cron": None, "everySeconds": 3600}, "applies to a cron expression only"),
        ({"cron": None, "everySeconds": 5, "timeZone": "UTC"}, "every 60 seconds at most"),
        ({"job": "no.such"}, "There is no job 'no.such'; the jobs are"),
        ({"payload": {"kind": "notes", "most": 0}}, "payload.most"),
    ],
)
async def test_what_is_wrong_is_named(client: Any, wrong: dict[str, Any], words: str) -> None:
    answer = await client.post(PATH, json={**WEEKLY, **wrong})
    assert answer.status_code == 422
    assert words in answer.json()["detail"]


async def test_the_list_comes_in_pages(client: Any) -> None:
    made = [(await client.post(PATH, json=WEEKLY)).json()["id"] for _ in range(3)]
    first = (await client.get(PATH, params={"limit": 2})).json()
    cursor = first["nextCursor"]
    rest = (await client.get(PATH, params={"limit": 2, "cursor": cursor})).json()
    assert [each["id"] for each in first["items"] + rest["items"]] == made[::-1]
    assert rest["nextCursor"] is None
    assert (await client.get(PATH, params={"cursor": "x"})).status_code == 422
