"""Cancelling over REST answers at once, also while the work is being written."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from sqlalchemy import text

pytestmark = pytest.mark.anyio


async def _cancelled_while_written(
    platform: Any, owner: httpx.AsyncClient, table: str, path: str
) -> list[tuple[int, str]]:
    """The answers to a cancellation while a transaction holds the rows, and after it."""
    async with platform.unit(platform.owner) as session:
        await session.execute(text(f"SELECT FROM {table} FOR UPDATE"))
        answers = [await owner.post(f"{path}/cancel")]
    answers.append(await owner.post(f"{path}/cancel"))
    return [(answer.status_code, answer.json()["status"]) for answer in answers]


async def test_a_run_that_is_being_written(platform: Any, owner: httpx.AsyncClient) -> None:
    note = {"title": "A note", "text": "one two"}
    note_id = (await owner.post("/api/notes", json=note)).json()["id"]
    research = f"/api/notes/{note_id}/research"
    job_id = (await owner.post(research)).json()["jobId"]
    path = f"{research}/jobs/{job_id}"
    answers = await _cancelled_while_written(platform, owner, "whence.work", path)
    assert answers == [(202, "pending"), (200, "cancelled")]


async def test_a_job_that_is_being_written(platform: Any, owner: httpx.AsyncClient) -> None:
    job = platform.jobs.get("sample_pack.recount").job
    async with platform.unit(platform.owner) as session:
        payload = job.payload()
        submission = await platform.jobs.enqueue(session, platform.owner, job, payload)
    path = f"/api/jobs/{submission.id}"
    answers = await _cancelled_while_written(platform, owner, "whence.work", path)
    assert answers == [(202, "pending"), (200, "cancelled")]


async def test_an_import_that_is_being_written(platform: Any, owner: httpx.AsyncClient) -> None:
    upload = await owner.post(
        "/api/imports/sample_pack.notes/files?filename=a.csv", content=b"id,title,text\n"
    )
    path = f"/api/imports/{upload.json()['id']}"
    answers = await _cancelled_while_written(platform, owner, "whence.imports", path)
    assert answers == [(202, "waiting"), (200, "cancelled")]
