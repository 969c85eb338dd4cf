"""Checkpoints and events of finished runs are kept for a while, in every organization."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from pruning import prune
from whence.kernel.clock import now
from whence.kernel.errors import Unavailable
from whence.kernel.ids import new_id

pytestmark = pytest.mark.anyio
FINISHED = ("success", "error", "cancelled")
ACTIVE = ("pending", "running", "paused")


@pytest.fixture
def database(database_url: str) -> Any:
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


def leave(database: Any, org: UUID, status: str, days_ago: float | None) -> UUID:
    """A run of that organization, with a checkpoint and two events."""
    run = new_id()
    ended = None if days_ago is None else now() - timedelta(days=days_ago)
    database.execute(
        "INSERT INTO whence.work (org_id, id, type, queue, handler, status, priority, requested_by,"
        " created_at, completed_at)"
        " VALUES (%s, %s, 'research', 'whence', 'research.attempt', %s, 0, %s, %s, %s)",
        (org, run, status, new_id(), now(), ended),
    )
    database.execute(
        "INSERT INTO whence.runs (org_id, id, kind, subject_id, flow, flow_version)"
        " VALUES (%s, %s, 'notes', %s, 'research', '1')",
        (org, run, new_id()),
    )
    thread = str(run)
    database.execute(
        "INSERT INTO checkpoints.checkpoints (thread_id, checkpoint_id, checkpoint)"
        " VALUES (%s, '1', '{}')",
        (thread,),
    )
    database.execute(
        "INSERT INTO checkpoints.checkpoint_blobs (thread_id, channel, version, type)"
        " VALUES (%s, 'c', '1', 'empty')",
        (thread,),
    )
    database.execute(
        "INSERT INTO checkpoints.checkpoint_writes"
        " (thread_id, checkpoint_id, task_id, idx, channel, blob)"
        " VALUES (%s, '1', 't', 0, 'c', '')",
        (thread,),
    )
    with database.transaction():
        database.execute("SELECT set_config('whence.org_id', %s, true)", (str(org),))
        for _ in range(2):
            database.execute("SELECT whence.append_event(%s, 'progress', '{}')", (run,))
    return run


def rows_left(database: Any, run: UUID) -> tuple[int, int]:
    """How many rows of checkpoints, and how many events, a run still has."""
    checkpoints = sum(
        database.execute(
            f"SELECT count(*) FROM checkpoints.{table} WHERE thread_id = %s",
            (str(run),),
        ).fetchone()[0]
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
    )
    events = database.execute(
        "SELECT count(*) FROM whence.events WHERE stream_id = %s", (run,)
    ).fetchone()[0]
    return checkpoints, events


@pytest.mark.parametrize("status", FINISHED)
async def test_each_is_removed_after_its_own_days(
    platform: Any, database: Any, status: str
) -> None:
    org = platform.owner.org_id
    settings = platform.settings.model_copy(update={"checkpoint_days": 7.0, "event_days": 30.0})
    fresh = leave(database, org, status, 6.9)
    week = leave(database, org, status, 7.1)
    month = leave(database, org, status, 30.1)
    pruned = await prune(platform, settings)
    assert (pruned["checkpoints"], pruned["events"]) == (2, 1)
    assert [rows_left(database, run) for run in (fresh, week, month)] == [(3, 2), (0, 2), (0, 0)]


@pytest.mark.parametrize("status", ACTIVE)
async def test_a_run_that_has_not_ended_is_never_touched(
    platform: Any, database: Any, status: str
) -> None:
    settings = platform.settings.model_copy(update={"checkpoint_days": 0.0, "event_days": 0.001})
    # A run that failed long ago and was resumed still carries the time of that end for a moment.
    runs = [leave(database, platform.owner.org_id, status, days) for days in (None, 400.0)]
    pruned = await prune(platform, settings)
    assert (pruned["checkpoints"], pruned["events"]) == (0, 0)
    assert [rows_left(database, run) for run in runs] == [(3, 2), (3, 2)]


async def test_every_organization_is_pruned_and_none_is_shown(
    platform: Any, database: Any, new_principal: Any
) -> None:
    runs = [leave(database, new_principal().org_id, "success", 100) for _ in range(3)]
    pruned = await prune(platform)
    assert (pruned["checkpoints"], pruned["events"]) == (3, 3)
    assert {rows_left(database, run) for run in runs} == {(0, 0)}
    again = await prune(platform)
    assert (again["checkpoints"], again["events"]) == (0, 0)


async def test_several_workers_at_once_prune_each_run_once_in_small_batches(
    platform: Any, database: Any
) -> None:
    org = platform.owner.org_id
    runs = [leave(database, org, "success", 100) for _ in range(40)]
    settings = platform.settings
    removed = await asyncio.gather(*(prune(platform, settings, batch=3) for _ in range(4)))
    assert sum(one["checkpoints"] for one in removed) == len(runs)
    assert sum(one["events"] for one in removed) == len(runs)
    assert {rows_left(database, run) for run in runs} == {(0, 0)}


async def test_sign_ins_that_are_over_go_and_the_others_stay(platform: Any, database: Any) -> None:
    who = platform.owner
    for days in (40, 20, -1):
        database.execute(
            "INSERT INTO whence.api_tokens (org_id, id, user_id, name, kind, prefix, token_hash,"
            " scopes, expires_at) SELECT %s, gen_random_uuid(), %s, 'one', kind, '',"
            " sha256(gen_random_uuid()::text::bytea), '{}', now() - %s * interval '1 day'"
            " FROM unnest(ARRAY['api', 'sign_in']) AS kind",
            (who.org_id, who.user_id, days),
        )
        database.execute(
            "INSERT INTO whence.sessions (org_id, id, user_id, label, family_hash, secret_hash,"
            " created_at, last_used_at, expires_at) VALUES (%s, gen_random_uuid(), %s, 'one',"
            " sha256(gen_random_uuid()::text::bytea), '', now(), now(),"
            " now() - %s * interval '1 day')",
            (who.org_id, who.user_id, days),
        )
    assert (await prune(platform))["sign_ins"] == 2
    kinds = database.execute(
        "SELECT kind, count(*) FROM whence.api_tokens GROUP BY kind ORDER BY 1"
    )
    assert kinds.fetchall() == [("api", 3), ("sign_in", 2)]
    assert database.execute("SELECT count(*) FROM whence.sessions").fetchone() == (2,)


async def test_a_stream_keeps_its_last_number(platform: Any, database: Any) -> None:
    run = leave(database, platform.owner.org_id, "success", 100)
    await prune(platform)
    row = database.execute(
        "SELECT last_seq FROM whence.streams WHERE stream_id = %s", (run,)
    ).fetchone()
    assert row == (2,)


async def test_a_failed_run_resumed_after_its_checkpoints_were_pruned_starts_anew_and_says_so(
    bench: Any, database: Any
) -> None:
    ran: list[str] = []

    async def one(state: Any, run: Any) -> dict[str, Any]:
        ran.append("one")
        return {"trail": ["one"]}

    async def two(state: Any, run: Any) -> dict[str, Any]:
        ran.append("two")
        if ran.count("two") == 1:
            raise Unavailable("away", retry_after=600)
        return {}

    flow = bench.flow(one, two)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        await bench.until(run_id, "paused")
    # It failed a month ago, and nobody resumed it.
    database.execute(
        "UPDATE whence.work SET status = 'error', completed_at = now() - interval '29 days'"
        " WHERE id = %s",
        (run_id,),
    )
    await prune(bench.platform)
    await bench.resume(run_id)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.status, ran) == ("success", ["one", "two", "one", "two"])
    messages = [e.payload["notice"] for e in await bench.events(run_id) if e.type == "job_notice"]
    assert messages == ["This run starts over: its saved progress is no longer kept."]
    # It ended again, so what it left since is due again.
    database.execute(
        "UPDATE whence.work SET completed_at = completed_at - interval '29 days',"
        " checkpoints_pruned_at = checkpoints_pruned_at - interval '30 days' WHERE id = %s",
        (run_id,),
    )
    assert (await prune(bench.platform))["checkpoints"] == 1
    assert rows_left(database, run_id)[0] == 0
