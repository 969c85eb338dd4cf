"""Who a schedule's work is done by, and what that may do: the system principal, named as such."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import psycopg
import pytest
from sqlalchemy import text

from conftest import NewPrincipal
from whence.app.platform import Platform
from whence.kernel.errors import Forbidden, NotFound
from whence.records import store
from whence.records.history import history
from whence.tenancy.principal import PersonOnly, Role, Scope, agent_of
from whence.tenancy.system import system_principal
from whence.work.context import JobContext
from whence.work.job import Job
from whence.work.tables import FINISHED
from work.schedules.desk import Desk, Note

pytestmark = pytest.mark.anyio


@pytest.fixture
def desk(platform: Platform) -> Desk:
    return Desk(platform, platform.owner)


async def test_the_job_is_started_by_the_system_principal_and_the_audit_log_says_so(
    desk: Desk,
) -> None:
    row = await desk.set()
    await desk.let_be_due(row.id)
    await desk.ticker().tick()
    [job] = await desk.jobs()
    system = await desk.system()
    assert (job.requested_by, job.scopes) == (system, ["read", "write"])
    [created, started] = await desk.audited()
    assert created[:2] == ("create_schedule", desk.who.user_id)
    assert started[:2] == ("start_scheduled_job", system)
    assert started[2]["job"] == str(job.id)
    assert started[2]["byAgent"] is True


async def test_the_job_runs_although_whoever_set_it_has_left(
    platform: Platform, new_principal: NewPrincipal, database_url: str
) -> None:
    ran = asyncio.Event()
    scopes: list[frozenset[Scope]] = []

    async def handle(payload: Note, job: JobContext) -> None:
        scopes.append(job.principal.scopes)
        with pytest.raises(PersonOnly):
            job.principal.require_person()
        ran.set()

    member = new_principal(Role.MEMBER, platform.owner.org_id)
    desk = Desk(platform, platform.owner, Job("note", "A test's job", Note, handle))
    row = await desk.set(who=member)
    with psycopg.connect(database_url) as connection:
        connection.execute("DELETE FROM whence.memberships WHERE user_id = %s", (member.user_id,))
    await desk.let_be_due(row.id)
    await desk.ticker().tick()
    from whence.app import build

    async with build.worker(platform), asyncio.timeout(60):
        while (await desk.jobs())[0].status not in FINISHED:
            await asyncio.sleep(0.05)
    assert (await desk.jobs())[0].status == "success"
    assert ran.is_set()
    assert scopes == [frozenset({Scope.READ, Scope.WRITE})]


async def test_its_jobs_may_do_no_more_than_whoever_set_it_might(desk: Desk) -> None:
    writer = replace(desk.who, scopes=frozenset({Scope.WRITE, Scope.PROPOSE}))
    row = await desk.set(who=writer)
    await desk.let_be_due(row.id)
    await desk.ticker().tick()
    [job] = await desk.jobs()
    assert job.scopes == ["write"]


async def test_readers_and_agents_set_none(desk: Desk) -> None:
    with pytest.raises(Forbidden, match="write"):
        await desk.set(who=replace(desk.who, scopes=frozenset({Scope.READ})))
    with pytest.raises(PersonOnly):
        await desk.set(who=agent_of(desk.who))


async def test_another_organization_sees_and_starts_nothing_of_it(
    desk: Desk, new_principal: NewPrincipal
) -> None:
    row = await desk.set()
    stranger = new_principal()
    schedules = desk.platform.schedules
    async with desk.platform.unit(stranger) as session:
        assert await schedules.listed(session, limit=10) == ([], None)
        for act in (
            schedules.get(session, row.id),
            schedules.start_now(session, stranger, row.id),
            schedules.delete(session, stranger, row.id),
        ):
            with pytest.raises(NotFound):
                await act
    await desk.let_be_due(row.id)
    await desk.ticker().tick()
    async with desk.platform.unit(stranger) as session:
        count = text("SELECT count(*) FROM whence.work")
        assert (await session.execute(count)).scalar_one() == 0


async def test_every_organization_has_a_system_principal_of_its_own(
    platform: Platform, new_principal: NewPrincipal
) -> None:
    ids = set()
    for who in (platform.owner, new_principal()):
        async with platform.unit(who) as session:
            system = await system_principal(session, ["read", "write", "propose"])
            assert system.org_id == who.org_id
            assert system.scopes == {Scope.READ, Scope.WRITE}
            ids.add(system.user_id)
            members = text("SELECT count(*) FROM whence.memberships WHERE user_id = :id")
            assert (await session.execute(members, {"id": system.user_id})).scalar_one() == 0
    assert len(ids) == 2


async def test_a_record_history_names_the_system(platform: Platform) -> None:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        record = kind.record.model_validate({"title": "A", "text": "one"})
        row = await store.create(session, platform.owner, kind, record)
        system = await system_principal(session, ["read", "write"])
        await platform.ask(session, system, kind, row.id)
        [request, created], _ = await history(session, "notes", row.id, limit=10)
    assert (request.action, request.user_name, request.by_agent) == (
        "request_research",
        "System",
        True,
    )
    assert created.user_name == "Owner"
