"""Whose turn it is: organizations take turns within a queue, and waiting jobs cost nobody time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

_ADD = """
    INSERT INTO procrastinate_jobs (queue_name, task_name, priority, args)
    SELECT %s, 'note', %s, jsonb_build_object('org_id', %s::text) FROM generate_series(1, %s)
"""
READ = """
    SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables
    WHERE relid = 'procrastinate_jobs'::regclass
"""
"""The rows of the queue that this transaction has read."""
_FETCH = "SELECT args->>'org_id', priority FROM whence_fetch_job(%s, %s)"


@pytest.fixture
def jobs(database_url: str) -> Iterator[psycopg.Connection[Any]]:
    url = make_conninfo(database_url, options="-c search_path=jobs")
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


def _worker(jobs: psycopg.Connection[Any]) -> int:
    row = jobs.execute("INSERT INTO procrastinate_workers DEFAULT VALUES RETURNING id").fetchone()
    assert row is not None
    return row[0]


def _add(jobs: psycopg.Connection[Any], org: str, many: int = 1, **where: Any) -> None:
    queue, priority = where.get("queue", "q"), where.get("priority", 0)
    jobs.execute(_ADD, (queue, priority, org, many))


def _taken(jobs: psycopg.Connection[Any], worker: int, many: int, *queues: str) -> list[Any]:
    return [
        (jobs.execute(_FETCH, (list(queues or ("q",)), worker)).fetchone() or (None,))[0]
        for _ in range(many)
    ]


def test_many_waiting_jobs_of_one_organization_do_not_starve_anothers_first(jobs: Any) -> None:
    worker = _worker(jobs)
    _add(jobs, "a", 2_000)
    assert _taken(jobs, worker, 2) == ["a", "a"]
    _add(jobs, "b", 2)
    assert _taken(jobs, worker, 5) == ["b", "a", "b", "a", "a"]


@pytest.mark.parametrize("ready", ["a", "b"])
@pytest.mark.parametrize("statistics", ["VACUUM ANALYZE procrastinate_jobs", "SELECT"])
def test_jobs_for_later_are_not_looked_at_before_their_time(
    jobs: Any, ready: str, statistics: str
) -> None:
    worker = _worker(jobs)
    _add(jobs, "a", 5_000)
    jobs.execute("UPDATE procrastinate_jobs SET scheduled_at = now() + interval '1 hour'")
    _add(jobs, ready, 2)
    jobs.execute(statistics)
    with jobs.transaction():
        before = jobs.execute(READ).fetchone()[0]
        assert _taken(jobs, worker, 3) == [ready, ready, None]
        assert jobs.execute(READ).fetchone()[0] - before < 100
    jobs.execute(
        "UPDATE procrastinate_jobs SET scheduled_at = now() - interval '1 minute', priority = 5"
        " WHERE id = (SELECT max(id) FROM procrastinate_jobs WHERE status = 'todo')"
    )
    assert _taken(jobs, worker, 2) == ["a", None], "its time has come"


def test_thousands_of_jobs_whose_time_has_come_cost_a_fetch_a_few(jobs: Any) -> None:
    """As after an outage, in which everything that paused came due."""
    worker = _worker(jobs)
    _add(jobs, "a", 5_000)
    jobs.execute("UPDATE procrastinate_jobs SET scheduled_at = now() - interval '1 hour'")
    _add(jobs, "b")
    with jobs.transaction():
        before = jobs.execute(READ).fetchone()[0]
        assert _taken(jobs, worker, 3) == ["a", "b", "a"]
        assert jobs.execute(READ).fetchone()[0] - before < 3_000


def test_within_an_organization_the_higher_priority_comes_first(jobs: Any) -> None:
    worker = _worker(jobs)
    _add(jobs, "a", priority=0)
    _add(jobs, "a", priority=10)
    taken = [jobs.execute(_FETCH, (["q"], worker)).fetchone()[1] for _ in range(2)]
    assert taken == [10, 0]


def test_queues_are_looked_at_in_their_order_and_others_not_at_all(jobs: Any) -> None:
    worker = _worker(jobs)
    _add(jobs, "a", queue="packs")
    _add(jobs, "b", queue="runs")
    _add(jobs, "c", queue="elsewhere")
    assert _taken(jobs, worker, 3, "runs", "packs") == ["b", "a", None]


def test_a_job_that_waits_for_its_time_or_for_its_lock_is_passed_over(jobs: Any) -> None:
    worker = _worker(jobs)
    _add(jobs, "a", 3)
    jobs.execute("UPDATE procrastinate_jobs SET lock = 'one', args = args || '{\"n\": 1}'")
    _add(jobs, "a")
    jobs.execute("UPDATE procrastinate_jobs SET scheduled_at = now() + '1 h' WHERE lock IS NULL")
    assert _taken(jobs, worker, 2) == ["a", None]


def test_taking_back_what_waits_under_a_lock_reads_an_index(jobs: Any) -> None:
    jobs.execute(
        "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args)"
        " SELECT 'q', 'note', n::text, '{}' FROM generate_series(1, 5000) n"
    )
    jobs.execute("ANALYZE procrastinate_jobs")
    plan = jobs.execute(
        "EXPLAIN DELETE FROM procrastinate_jobs WHERE lock = '77' AND status = 'todo'"
    ).fetchall()
    assert "whence_jobs_of_lock" in str(plan)
