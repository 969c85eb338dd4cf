"""A client that comes just as a run ends."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from streams.conftest import Play
from whence.transports.routes.streams import event_stream, work_stream

pytestmark = pytest.mark.anyio
_WAITS = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%runs%'"


async def test_an_end_while_it_is_looked_up_is_not_taken_for_told(
    play: Play, database_url: str
) -> None:
    platform, last = play.platform, play.last
    with psycopg.connect(database_url) as ending, psycopg.connect(database_url) as looking:
        ending.execute("LOCK TABLE whence.work IN ACCESS EXCLUSIVE MODE")
        opening = asyncio.create_task(
            work_stream.run_opening(platform, platform.owner, play.run_id, last)
        )
        async with asyncio.timeout(90):
            while looking.execute(_WAITS).fetchone() is None:
                looking.rollback()
                await asyncio.sleep(0.02)
        org = str(platform.owner.org_id)
        ending.execute("SELECT set_config('whence.org_id', %s, true)", (org,))
        ending.execute(
            "UPDATE whence.work SET status = 'cancelled', completed_at = now() WHERE id = %s",
            (play.run_id,),
        )
        ending.execute(
            "SELECT whence.append_event(%s, 'job_complete', %s)",
            (play.run_id, '{"status": "cancelled"}'),
        )
        ending.commit()
        begin = await opening
    messages = [m.type async for m in event_stream.follow(platform, begin, snapshot=False)]
    assert messages == ["job_complete"]
