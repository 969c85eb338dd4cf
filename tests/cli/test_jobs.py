"""`whence jobs`: the background jobs of the local organization."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from typer.testing import CliRunner

from whence.app import build
from whence.cli.app import app
from whence.kernel.errors import Conflict, NotFound
from whence.kernel.settings import Settings


@pytest.fixture
def job_id(settings: Settings) -> str:
    async def enqueue() -> str:
        async with build.platform(settings) as platform:
            job = platform.jobs.get("sample_pack.recount").job
            async with platform.unit(platform.owner) as session:
                request = await platform.jobs.enqueue(session, platform.owner, job, job.payload())
            return str(request.id)

    return asyncio.run(enqueue())


def test_a_job_is_listed_shown_and_cancelled(settings: Settings, job_id: str) -> None:
    assert settings.database_url is not None
    env = {
        "WHENCE_HOME": str(settings.home),
        "WHENCE_DATABASE_URL": settings.database_url.get_secret_value(),
        "WHENCE_PACK_DIRS": ":".join(map(str, settings.pack_dirs)),
    }

    def run(*words: str) -> Any:
        return CliRunner().invoke(app, ["jobs", *words], env=env)

    def document(*words: str) -> Any:
        return json.loads(run(*words, "--json").stdout)

    [listed] = document("list", "--type", "sample_pack.recount")["jobs"]
    assert (listed["id"], listed["status"]) == (job_id, "pending")
    assert "No such jobs." in run("list", "--status", "error").stdout
    assert (listed["payload"], listed["requestedByName"]) == ({"title": ""}, "Owner")
    shown = run("show", job_id).stdout
    assert "State: pending" in shown
    assert 'Payload: {"title": ""}' in shown
    assert "Requested by: Owner, " in shown
    assert document("cancel", job_id)["status"] == "cancelled"
    assert document("show", job_id)["status"] == "cancelled"
    assert isinstance(run("resume", job_id).exception, Conflict)
    nothing = "00000000-0000-0000-0000-000000000000"
    assert isinstance(run("show", nothing).exception, NotFound)
