"""A statement that lost against another one is tried again, whole and only so often."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from whence.app.platform import Platform
from whence.db.database import CONTENDED_TRIES
from whence.db.failures import Contended

pytestmark = pytest.mark.anyio
TAKE_1 = "SELECT pg_advisory_xact_lock(1)"
TAKE_2 = "SELECT pg_advisory_xact_lock(2)"
TAKE_BOTH = "SELECT pg_advisory_xact_lock(1), pg_advisory_xact_lock(2)"
LOSES = """
    CREATE SEQUENCE public.tried;
    CREATE TABLE public.written (word text);
    CREATE FUNCTION public.lose(times bigint) RETURNS text LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO public.written VALUES ('once');
        IF nextval('public.tried') <= times THEN
            RAISE EXCEPTION 'another one was first' USING ERRCODE = 'serialization_failure';
        END IF;
        RETURN 'won';
    END $$;
    GRANT ALL ON public.written, public.tried TO whence_app;
"""
"""A function that loses as often as it is told; what it writes is undone, what it counts stays."""


async def waits(url: str) -> None:
    """Return once somebody waits for one of the two locks."""
    query = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        async with asyncio.timeout(20):
            while (await (await connection.execute(query)).fetchall())[0][0] == 0:
                await asyncio.sleep(0.02)


async def test_who_loses_a_deadlock_is_not_told_and_does_it_once_the_other_is_through(
    platform: Platform, database_url: str
) -> None:
    async with await psycopg.AsyncConnection.connect(database_url) as other:
        await other.execute("SET deadlock_timeout = '1min'")  # so that it is not the one to lose
        await other.execute(TAKE_2)
        losing = asyncio.create_task(platform.db.rows(TAKE_BOTH, {}))
        await waits(database_url)
        await other.execute(TAKE_1)
        assert not losing.done()
        await other.commit()
    assert len(await losing) == 1


@pytest.mark.parametrize("times", [CONTENDED_TRIES - 1, CONTENDED_TRIES])
async def test_it_is_tried_a_few_times_and_written_once_or_not_at_all(
    platform: Platform, database_url: str, times: int
) -> None:
    with psycopg.connect(database_url, autocommit=True) as admin:
        admin.execute(LOSES)
        losing = platform.db.call("SELECT public.lose(%(times)s)", {"times": times})
        if times < CONTENDED_TRIES:
            assert await losing == "won"
        else:
            with pytest.raises(Contended):
                await losing
        assert admin.execute("SELECT last_value FROM public.tried").fetchone() == (CONTENDED_TRIES,)
        [(written,)] = admin.execute("SELECT count(*) FROM public.written").fetchall()
        assert written == int(times < CONTENDED_TRIES)
