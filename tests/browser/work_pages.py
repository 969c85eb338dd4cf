"""Runs, jobs and schedules with something on them, for pictures of their pages."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

SCHEDULES: tuple[dict[str, Any], ...] = (
    {
        "title": "Items, every Monday",
        "job": "research_records",
        "payload": {"kind": "items", "most": 50},
        "cron": "0 6 * * mon",
        "timeZone": "Europe/Berlin",
    },
    {"title": "Count the notes", "job": "sample_pack.recount", "everySeconds": 21_600},
    {
        "title": "Stale listings, on the first of the month",
        "job": "research_records",
        "payload": {"kind": "items"},
        "cron": "30 2 1 * *",
        "timeZone": "Europe/London",
        "paused": True,
    },
)


async def pages_of_work(api: httpx.AsyncClient, note: str) -> dict[str, str]:
    """Addresses by name: lists of runs and jobs, a job, schedules."""
    made = [(await api.post("/api/schedules", json=each)).json()["id"] for each in SCHEDULES]
    counted = (await api.post(f"/api/schedules/{made[1]}/start")).json()["lastJobId"]
    while (await api.get(f"/api/jobs/{counted}")).json()["status"] in ("pending", "running"):
        await asyncio.sleep(0.1)
    # One that waits for a worker is cancelled at once.
    begun = await api.post(f"/api/notes/{note}/research", json={"priority": "low"})
    await api.post(f"/api/notes/{note}/research/jobs/{begun.json()['jobId']}/cancel")
    return {
        "runs": "/runs",
        "runs-filtered": "/runs?status=success&kind=items",
        "jobs": "/jobs",
        "job": f"/jobs/{counted}",
        "schedules": "/schedules",
    }
