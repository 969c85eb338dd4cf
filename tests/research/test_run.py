"""A run from the question to the dossier: its states, its events, and one at a time."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from whence.app import build
from whence.evidence import dossiers
from whence.kernel.errors import Forbidden, NotFound, NotReady
from whence.kernel.ids import new_id
from whence.research import runs
from whence.research.versions import Flows
from whence.tenancy.principal import Role
from whence.work.queue import Priority

pytestmark = pytest.mark.anyio


async def first(state: Any, run: Any) -> dict[str, Any]:
    return {"trail": ["first"]}


async def second(state: Any, run: Any) -> dict[str, Any]:
    await run.report("half way")
    return {"trail": [*state["trail"], "second"]}


async def test_a_run_goes_from_pending_to_success_and_tells_each_node(bench: Any) -> None:
    flow = bench.flow(first, second)
    run_id = await bench.ask(flow, priority=Priority.HIGH)
    assert (await bench.run(run_id)).status == "pending"
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.status, run.attempt, run.failures, run.current_node) == ("success", 1, 0, None)
    assert run.started_at is not None
    assert run.completed_at is not None
    events = await bench.events(run_id)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [event.type for event in events] == [
        "job_queued",
        "job_started",
        "node_started",
        "node_complete",
        "node_started",
        "progress",
        "node_complete",
        "job_complete",
    ]
    complete = events[3].payload
    assert (complete["node"], complete["step"], complete["status"]) == ("first", 1, "success")
    assert complete["durationMs"] >= 0
    steps = await bench.steps(run_id)
    assert [(step.node, step.status) for step in steps] == [
        ("first", "success"),
        ("second", "success"),
    ]


async def test_the_sample_pack_is_researched_into_a_dossier(platform: Any, bench: Any) -> None:
    flow = platform.flow("notes", None)
    note = await bench.note("six words are in this note")
    run_id = await bench.ask(flow, note)
    async with bench.working(flow):
        assert (await bench.until(run_id)).status == "success"
    async with platform.unit(platform.owner) as session:
        dossier = await dossiers.current(session, dossiers.Lane("notes", note, "research"))
    assert dossier is not None
    assert dossier.body == {"words": 6}
    assert [claim["verdict"] for claim in dossier.claims] == ["supported"]


async def test_asking_again_gives_the_run_under_way(bench: Any) -> None:
    flow, note = bench.flow(first), await bench.note()
    assert await bench.ask(flow, note) == await bench.ask(flow, note)


async def test_two_requests_at_once_make_one_run(bench: Any, elsewhere: Any) -> None:
    flow, note = bench.flow(first), await bench.note()
    submitted = await asyncio.gather(*(who.ask(flow, note) for who in [bench, elsewhere] * 4))
    assert len(set(submitted)) == 1
    async with bench.platform.unit(bench.platform.owner) as session:
        driver = await session.connection()
        jobs = await driver.exec_driver_sql("SELECT count(*) FROM jobs.procrastinate_jobs")
        assert jobs.scalar_one() == 1


async def test_a_new_run_may_begin_once_the_first_has_ended(bench: Any) -> None:
    flow, note = bench.flow(first), await bench.note()
    async with bench.working(flow):
        one = await bench.ask(flow, note)
        await bench.until(one)
        two = await bench.ask(flow, note)
        assert (await bench.until(two)).status == "success"
    assert one != two


async def test_a_record_that_is_not_ready_is_refused_with_the_reason(bench: Any) -> None:
    note = await bench.note(text=" ")
    with pytest.raises(NotReady, match="Note not ready for research: the note has no text"):
        await bench.ask(bench.flow(first), note)


async def test_a_record_that_becomes_invalid_ends_its_run_at_once(bench: Any) -> None:
    async def load(state: Any, run: Any) -> dict[str, Any]:
        raise NotReady("Note not ready for research: the note has no text")

    flow = bench.flow(load)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.status, run.attempt) == ("error", 1)
    assert run.error == {
        "type": "NotReady",
        "message": "Note not ready for research: the note has no text",
    }
    events = await bench.events(run_id)
    assert [event.type for event in events].count("job_complete") == 1
    assert events[-1].payload["error"]["type"] == "NotReady"


async def test_a_record_of_another_organization_cannot_be_researched(
    bench: Any, new_principal: Any
) -> None:
    note, stranger = await bench.note(), new_principal()
    platform = bench.platform
    with pytest.raises(NotFound):
        async with platform.unit(stranger) as session:
            await runs.request(
                session,
                platform.queue,
                stranger,
                platform.kind("notes"),
                bench.flow(first),
                note,
            )


async def test_a_viewer_cannot_ask_cancel_or_resume(bench: Any, new_principal: Any) -> None:
    platform, flow = bench.platform, bench.flow(first)
    run_id = await bench.ask(flow)
    viewer = new_principal(Role.VIEWER, platform.owner.org_id)
    async with platform.unit(viewer) as session:
        with pytest.raises(Forbidden):
            await runs.cancel(session, viewer, run_id)
        with pytest.raises(Forbidden):
            await runs.resume(session, platform.queue, viewer, run_id)
        kind = platform.kind("notes")
        with pytest.raises(Forbidden):
            await runs.request(session, platform.queue, viewer, kind, flow, new_id())


async def test_a_request_that_is_rolled_back_leaves_neither_run_nor_job(bench: Any) -> None:
    platform, note = bench.platform, await bench.note()
    kind, flow = platform.kind("notes"), bench.flow(first)
    async with platform.unit(platform.owner) as session:
        submitted = await runs.request(session, platform.queue, platform.owner, kind, flow, note)
        await session.rollback()
    with pytest.raises(NotFound):
        await bench.run(submitted.id)
    assert await bench.events(submitted.id) == []
    assert await bench.ask(flow, note) != submitted.id


async def test_a_flow_that_no_pack_offers_any_more_ends_its_run_in_words(bench: Any) -> None:
    run_id = await bench.ask(bench.flow(first))
    async with build.worker(replace(bench.platform, flows=Flows())):
        run = await bench.until(run_id)
    assert run.error["message"] == "No installed pack offers the flow 'research' for notes."
