"""A job that ended is removed after a while, with its events; research and active jobs stay."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest

from pruning import prune
from row_security import owned_by_no_superuser
from whence.kernel.errors import NotFound
from work.desk import Desk, Number

pytestmark = pytest.mark.anyio
TABLES = ("whence.work", "whence.streams", "whence.events")


@pytest.fixture
def database(database_url: str) -> Any:
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


async def _succeed(number: Number, _: Any) -> Number:
    return number


async def _ended(desk: Desk, how_many: int) -> list[UUID]:
    job = desk.job(_succeed)
    ids = [(await desk.ask(job, number)).id for number in range(how_many)]
    async with desk.working():
        for job_id in ids:
            assert (await desk.until(job_id)).status == "success"
    return ids


def age(database: Any, job_id: UUID, days: float) -> None:
    ended = "UPDATE whence.work SET completed_at = now() - %s * interval '1 day' WHERE id = %s"
    assert database.execute(ended, (days, job_id)).rowcount == 1


def rows_of(database: Any, job_id: UUID) -> list[int]:
    """How many rows each table has for a job."""
    columns = ("id", "stream_id", "stream_id")
    return [
        database.execute(f"SELECT count(*) FROM {table} WHERE {column} = %s", (job_id,)).fetchone()[
            0
        ]
        for table, column in zip(TABLES, columns, strict=True)
    ]


async def test_a_job_goes_after_its_days_with_its_events(platform: Any, database: Any) -> None:
    desk = Desk(platform)
    old, new = await _ended(desk, 2)
    age(database, old, 90.1)
    age(database, new, 89.9)
    assert (await prune(platform, batch=1))["jobs"] == 1
    assert rows_of(database, old) == [0, 0, 0]
    assert rows_of(database, new)[:2] == [1, 1]
    with pytest.raises(NotFound):
        await desk.item(old)


async def test_research_and_jobs_that_have_not_ended_stay(platform: Any, database: Any) -> None:
    desk = Desk(platform)
    research, paused = await _ended(desk, 2)
    age(database, research, 1000)
    age(database, paused, 1000)
    database.execute("UPDATE whence.work SET type = 'research' WHERE id = %s", (research,))
    database.execute("UPDATE whence.work SET status = 'paused' WHERE id = %s", (paused,))
    everything = "SELECT whence.prune_jobs(now() + interval '1 day', 100)"
    assert await platform.db.call(everything, {}) == 0
    assert rows_of(database, research)[0] == rows_of(database, paused)[0] == 1


async def test_an_owner_that_row_security_binds_removes_them_too(
    platform: Any, database: Any
) -> None:
    """The installer of an external database is no superuser."""
    [job_id] = await _ended(Desk(platform), 1)
    age(database, job_id, 100)
    with owned_by_no_superuser(database, ("work", "streams", "events"), ["prune_jobs"]):
        assert await platform.db.call("SELECT whence.prune_jobs(now(), 100)", {}) == 1
    assert rows_of(database, job_id) == [0, 0, 0]
