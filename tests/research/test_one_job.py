"""Two jobs of one run are never at work at once: the second would only push the first one out."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from whence.work.submission import enqueue, route_of

pytestmark = pytest.mark.anyio


async def test_a_further_job_of_a_run_waits_for_the_one_under_way(bench: Any) -> None:
    began, release = asyncio.Event(), asyncio.Event()
    first: list[Any] = []

    async def node(state: Any, run: Any) -> dict[str, Any]:
        if state["subject_id"] == str(first[0]):
            began.set()
            await release.wait()
        return {}

    flow, platform = bench.flow(node), bench.platform
    first.append(await bench.note())
    run_id = await bench.ask(flow, first[0])
    async with bench.working(flow, worker_concurrency=3):
        await asyncio.wait_for(began.wait(), 30)
        row = await bench.run(run_id)
        async with platform.unit(platform.owner) as session:
            where = (row.org_id, run_id, route_of(row), row.priority)
            await enqueue(session, platform.queue, *where)
        await bench.until(await bench.ask(flow))  # it came later, and was not held up
        assert (await bench.run(run_id)).attempt == 1
        release.set()
        run = await bench.until(run_id)
    assert (run.status, run.attempt) == ("success", 1)
