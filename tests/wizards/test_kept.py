"""How long answers to wizards are kept, and what they are erased with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from pruning import prune
from whence.app.platform import Platform
from whence.chat.transcript import sessions
from whence.kernel.clock import now
from whence.kernel.ids import new_id
from whence.tenancy import accounts, tokens
from whence.tenancy.principal import Principal, Role

pytestmark = pytest.mark.anyio
ENDED = ("completed", "cancelled")
Left = Callable[..., UUID]


@pytest.fixture
def database(database_url: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def left(database: psycopg.Connection[Any]) -> Left:
    """A run with an answer, that ended (or expired) so many days ago."""

    def leave(who: Principal, *, status: str, ended: float | None, expires: float) -> UUID:
        run = new_id()
        database.execute(
            "INSERT INTO whence.wizard_runs (org_id, id, user_id, definition, version, status,"
            " began_on, created_at, updated_at, ended_at, expires_at) VALUES (%s, %s, %s,"
            " 'sample_pack.write', '1', %s, now(), now(), now(), now() - %s * interval '1 day',"
            " now() - %s * interval '1 day')",
            (who.org_id, run, who.user_id, status, ended, expires),
        )
        database.execute(
            "INSERT INTO whence.wizard_answers VALUES (%s, %s, 1, 'about', '{}', now())",
            (who.org_id, run),
        )
        return run

    return leave


def there(database: psycopg.Connection[Any]) -> tuple[set[UUID], set[UUID]]:
    """The runs that there are, and those that have answers."""
    runs = database.execute("SELECT id FROM whence.wizard_runs").fetchall()
    answers = database.execute("SELECT run_id FROM whence.wizard_answers").fetchall()
    return {row[0] for row in runs}, {row[0] for row in answers}


@pytest.mark.parametrize("status", ENDED)
async def test_a_run_that_ended_goes_with_its_answers_after_its_days(
    platform: Platform, database: psycopg.Connection[Any], left: Left, status: str
) -> None:
    settings = platform.settings.model_copy(update={"wizard_days": 7.0})
    fresh = left(platform.owner, status=status, ended=6.9, expires=-20)
    left(platform.owner, status=status, ended=7.1, expires=-20)

    assert (await prune(platform, settings))["wizards"] == 1
    assert there(database) == ({fresh}, {fresh})


async def test_an_open_run_stays_until_its_days_after_it_expired(
    platform: Platform, database: psycopg.Connection[Any], left: Left
) -> None:
    settings = platform.settings.model_copy(update={"wizard_days": 7.0})
    staying = {
        left(platform.owner, status="open", ended=None, expires=days) for days in (-1, 1, 6.9)
    }
    left(platform.owner, status="open", ended=None, expires=7.1)

    assert (await prune(platform, settings))["wizards"] == 1
    assert there(database) == (staying, staying)
    now = platform.settings.model_copy(update={"wizard_days": 0.0})
    assert (await prune(platform, now))["wizards"] == 2


async def test_every_organization_is_pruned_batch_by_batch_and_none_is_shown(
    platform: Platform,
    database: psycopg.Connection[Any],
    left: Left,
    new_principal: Callable[..., Principal],
) -> None:
    for who in (platform.owner, new_principal(), new_principal()):
        left(who, status="completed", ended=100, expires=70)

    assert (await prune(platform, batch=1))["wizards"] == 3
    assert there(database) == (set(), set())


async def test_a_run_that_somebody_holds_is_left_for_the_next_time(
    platform: Platform, database: psycopg.Connection[Any], database_url: str, left: Left
) -> None:
    held, gone = [left(platform.owner, status="open", ended=None, expires=100) for _ in "12"]
    with psycopg.connect(database_url) as somebody:
        somebody.execute("SELECT FROM whence.wizard_runs WHERE id = %s FOR UPDATE", (held,))
        async with asyncio.timeout(20):
            assert (await prune(platform))["wizards"] == 1
        assert there(database)[0] == {held} != {gone}
    assert (await prune(platform))["wizards"] == 1


async def test_who_prunes_can_remove_nothing_that_is_not_over(
    platform: Platform, database: psycopg.Connection[Any], left: Left
) -> None:
    staying = left(platform.owner, status="open", ended=None, expires=-1)
    pruned = await platform.db.call(
        "SELECT whence.prune_wizards(%(before)s, 100)", {"before": now() + timedelta(days=99)}
    )
    assert (pruned, there(database)[0]) == (0, {staying})


@pytest.fixture
def plain_owner(database: psycopg.Connection[Any]) -> Iterator[None]:
    """Wizards belong to a role that row security binds, as where the installer is no superuser."""
    name = f"role_{new_id().hex}"
    for statement in (
        "CREATE ROLE {} NOSUPERUSER NOBYPASSRLS",
        "GRANT USAGE ON SCHEMA whence TO {}",
        "ALTER TABLE whence.wizard_runs OWNER TO {}",
        "ALTER TABLE whence.wizard_answers OWNER TO {}",
        "ALTER FUNCTION whence.prune_wizards OWNER TO {}",
        "ALTER POLICY retention ON whence.wizard_runs TO {}",
    ):
        database.execute(statement.format(name).encode())
    yield
    for statement in ("REASSIGN OWNED BY {} TO CURRENT_USER", "DROP OWNED BY {}", "DROP ROLE {}"):
        database.execute(statement.format(name).encode())


@pytest.mark.usefixtures("plain_owner")
async def test_an_owner_that_is_no_superuser_prunes_what_is_over_and_sees_nothing_else(
    platform: Platform, database: psycopg.Connection[Any], left: Left
) -> None:
    staying = left(platform.owner, status="open", ended=None, expires=-1)
    left(platform.owner, status="completed", ended=100, expires=70)
    assert (await prune(platform))["wizards"] == 1
    [owner] = database.execute(
        "SELECT tableowner FROM pg_tables WHERE tablename = 'wizard_runs'"
    ).fetchall()
    database.execute(f"SET ROLE {owner[0]}".encode())
    runs = database.execute("SELECT id FROM whence.wizard_runs").fetchall()
    database.execute("RESET ROLE")
    assert (runs, there(database)[0]) == ([], {staying})


async def test_deleting_a_record_erases_every_run_about_it_or_that_wrote_it(
    desk: Any,
    platform: Platform,
    database: psycopg.Connection[Any],
    serve: str,
    new_principal: Callable[..., Principal],
) -> None:
    wrote = await desk.respond((await desk.reviewed()).wizard_run_id, "review")
    note = wrote.ui.record.id
    colleague = replace(desk, who=new_principal(Role.MEMBER, platform.owner.org_id))
    about = (await colleague.start(subject_id=note)).wizard_run_id
    other = (await desk.start()).wizard_run_id
    assert there(database)[0] == {wrote.wizard_run_id, about, other}

    token = await tokens.issue(platform.db, platform.owner, "test")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=30) as client:
        assert (await client.delete(f"/api/notes/{note}")).status_code == 204

    assert there(database) == ({other}, set())
    audited = database.execute("SELECT count(*) FROM whence.audit_log WHERE kind = 'wizards'")
    assert audited.fetchone() == (4,)


async def test_deleting_a_conversation_erases_its_runs_and_nobody_elses(
    desk: Any, platform: Platform, database: psycopg.Connection[Any]
) -> None:
    async with platform.unit(desk.who) as session:
        gone, stays = [
            (await sessions.open_session(session, desk.who, "notes", new_id())).id for _ in "12"
        ]
    await desk.start(chat_session_id=gone)
    others = {
        (await desk.start(chat_session_id=stays)).wizard_run_id,
        (await desk.start()).wizard_run_id,
    }

    async with platform.unit(desk.who) as session:
        await sessions.delete(session, desk.who, gone)

    assert there(database)[0] == others


async def test_a_person_who_leaves_the_organization_takes_their_runs_along(
    desk: Any,
    platform: Platform,
    database: psycopg.Connection[Any],
    new_principal: Callable[..., Principal],
) -> None:
    member = new_principal(Role.MEMBER, platform.owner.org_id)
    theirs = replace(desk, who=member)
    await theirs.respond((await theirs.start()).wizard_run_id, "about", title="T", length="short")
    mine = (await desk.start()).wizard_run_id

    await accounts.remove(platform.db, member, member.user_id)

    assert there(database) == ({mine}, set())
