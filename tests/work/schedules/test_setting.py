"""Setting schedules: what is refused, with the reason, and what packs declare."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from conftest import NewPrincipal
from whence.app import build
from whence.app.platform import Platform
from whence.kernel.errors import Conflict, Invalid
from whence.kernel.settings import Settings
from whence.tenancy.principal import Principal
from whence.work.schedules.declaration import DeclaredSchedule, Schedule
from whence.work.schedules.declared import declare
from whence.work.schedules.tables import ScheduleRow
from whence.work.schedules.timing import BadTiming, Timing, cron, every
from whence.work.schedules.values import (
    Change,
    NewSchedule,
    StillDeclared,
    TooManySchedules,
    TooOften,
)
from work.schedules.desk import JOB, Desk, Note

pytestmark = pytest.mark.anyio


@pytest.fixture
def desk(platform: Platform) -> Desk:
    return Desk(platform, platform.owner)


async def test_a_person_sees_when_and_what(desk: Desk) -> None:
    row = await desk.set(cron("0 6 * * mon", "Europe/Berlin"), paused=True)
    shown = await desk.shown(row.id)
    assert (shown.row.title, shown.row.job, shown.row.payload) == ("A", JOB, {})
    assert (shown.row.next_at, shown.row.last_at, shown.is_known) == (None, None, True)
    assert shown.row.scopes == ["read", "write"]


async def test_a_change_is_audited_field_by_field(desk: Desk) -> None:
    row = await desk.set()
    schedules, who = desk.platform.schedules, desk.who
    async with desk.platform.unit(who) as session:
        change = Change(title="B", cron="0 6 * * *", payload={"text": "x"})
        changed = await schedules.change(session, who, row.id, change)
    assert (changed.row.cron, changed.row.every_seconds) == ("0 6 * * *", None)
    assert changed.row.next_at
    assert changed.row.next_at.hour == 6
    action, user, detail = (await desk.audited())[-1]
    assert (action, user) == ("change_schedule", who.user_id)
    assert detail["before"] == {"title": "A", "payload": {}, "cron": None, "every_seconds": 3600}
    assert detail["after"]["payload"] == {"text": "x"}
    async with desk.platform.unit(who) as session:
        await schedules.change(session, who, row.id, Change(title="B"))
    assert len(await desk.audited()) == 2


async def test_a_new_time_zone_moves_the_next_tick(desk: Desk) -> None:
    row = await desk.set(cron("0 6 * * *"))
    async with desk.platform.unit(desk.who) as session:
        change = Change(time_zone="Asia/Tokyo")
        changed = await desk.platform.schedules.change(session, desk.who, row.id, change)
    assert changed.row.next_at
    assert changed.row.next_at.hour == 21


async def test_a_time_zone_is_refused_for_an_interval(desk: Desk) -> None:
    with pytest.raises(BadTiming, match="applies to a cron expression only"):
        Timing(every_seconds=3600, time_zone="Asia/Tokyo")
    row = await desk.set(every(hours=1))
    schedules = desk.platform.schedules
    async with desk.platform.unit(desk.who) as session:
        with pytest.raises(BadTiming, match="applies to a cron expression only"):
            await schedules.change(session, desk.who, row.id, Change(time_zone="Asia/Tokyo"))


async def test_an_interval_drops_the_time_zone_of_the_expression_it_replaces(desk: Desk) -> None:
    row = await desk.set(cron("0 6 * * *", "Asia/Tokyo"))
    async with desk.platform.unit(desk.who) as session:
        change = Change(every_seconds=3600)
        changed = await desk.platform.schedules.change(session, desk.who, row.id, change)
    assert (changed.row.every_seconds, changed.row.time_zone) == (3600, "UTC")


async def test_an_interval_that_an_older_version_kept_with_a_time_zone_stays(desk: Desk) -> None:
    row = await desk.set(every(hours=1))
    row.time_zone = "Asia/Tokyo"
    assert row.timing == every(hours=1)


@pytest.mark.parametrize(
    ("job", "payload", "words"),
    [
        ("no.such", {}, "There is no job 'no.such'; the jobs are .*research_records"),
        (JOB, {"txt": "a"}, "payload.txt: there is no such field; there are text"),
        ("research_records", {"kind": "ships"}, "no subject kind 'ships'; the kinds are .*notes"),
        ("research_records", {"kind": "notes", "flow": "x"}, "no flow 'x' for notes; .*research"),
        (
            "research_records",
            {"kind": "notes", "filters": {"colour": "red"}},
            "do not fit notes: colour: there is no such field; there are .*title",
        ),
        ("research_records", {"kind": "notes", "most": 10**6}, "payload.most"),
    ],
)
async def test_a_payload_that_cannot_work_is_refused(
    desk: Desk, job: str, payload: dict[str, object], words: str
) -> None:
    new = NewSchedule("A", job, payload, every(hours=1))
    async with desk.platform.unit(desk.who) as session:
        with pytest.raises(Invalid, match=words):
            await desk.platform.schedules.create(session, desk.who, new)


async def test_a_schedule_without_a_title_is_refused(desk: Desk) -> None:
    async with desk.platform.unit(desk.who) as session:
        new = NewSchedule(" \x00", JOB, {}, every(hours=1))
        with pytest.raises(Invalid, match="title"):
            await desk.platform.schedules.create(session, desk.who, new)


@pytest.mark.parametrize("timing", [every(seconds=59), every(seconds=1)])
async def test_a_schedule_that_comes_too_often_is_refused(desk: Desk, timing: Timing) -> None:
    with pytest.raises(TooOften, match=r"every 60 seconds at most; .* after"):
        await desk.set(timing)
    row = await desk.set()
    async with desk.platform.unit(desk.who) as session:
        change = Change(every_seconds=timing.every_seconds)
        with pytest.raises(TooOften):
            await desk.platform.schedules.change(session, desk.who, row.id, change)


async def test_the_operator_limits_how_many_there_are_and_how_often_they_come(
    settings: Settings, new_principal: NewPrincipal
) -> None:
    limited = settings.model_copy(update={"schedules": 2, "schedule_seconds": 300})
    async with build.platform(limited) as platform:
        desk = Desk(platform, platform.owner)
        with pytest.raises(TooOften, match="after 60"):
            await desk.set(cron("* * * * *"))
        rows = await asyncio.gather(*(desk.set() for _ in range(6)), return_exceptions=True)
        assert sum(isinstance(each, ScheduleRow) for each in rows) == 2
        assert sum(isinstance(each, TooManySchedules) for each in rows) == 4
        other = new_principal()
        await Desk(platform, other).set()  # has a number of its own


async def test_the_list_comes_in_pages(desk: Desk) -> None:
    made = [(await desk.set()).id for _ in range(5)]
    faults, after, schedules = [], None, desk.platform.schedules
    async with desk.platform.unit(desk.who) as session:
        while True:
            page, after = await schedules.listed(session, limit=2, after=after)
            faults += [each.row.id for each in page]
            if after is None:
                break
    assert faults == made[::-1]


async def test_a_deleted_schedule_starts_nothing(desk: Desk) -> None:
    row = await desk.set()
    await desk.let_be_due(row.id)
    async with desk.platform.unit(desk.who) as session:
        await desk.platform.schedules.delete(session, desk.who, row.id)
    assert await desk.ticker().tick() == 0
    assert [line[0] for line in await desk.audited()] == ["create_schedule", "delete_schedule"]


async def test_a_person_starts_it_now_and_the_next_tick_stays(desk: Desk) -> None:
    row = await desk.set()
    async with desk.platform.unit(desk.who) as session:
        shown = await desk.platform.schedules.start_now(session, desk.who, row.id)
    assert (shown.row.last_outcome, shown.row.next_at) == ("started", row.next_at)
    assert [job.requested_by for job in await desk.jobs()] == [await desk.system()]
    assert [line[0] for line in await desk.audited()][1:] == [
        "start_schedule_now",
        "start_scheduled_job",
    ]


class TestDeclared:
    """What a pack declares."""

    def declared(
        self, desk: Desk, timing: Timing | None = None, **more: object
    ) -> DeclaredSchedule:
        schedule = Schedule("daily", "D", desk.job, Note(), timing or every(days=1))
        return DeclaredSchedule("desk.daily", JOB, replace(schedule, **more))  # pyright: ignore[reportArgumentType]

    async def rows(self, desk: Desk, who: Principal) -> list[ScheduleRow]:
        async with desk.platform.unit(who) as session:
            page, _ = await desk.platform.schedules.listed(session, limit=10)
        return [each.row for each in page]

    async def test_every_organization_has_it_once_new_ones_too(
        self, desk: Desk, new_principal: NewPrincipal
    ) -> None:
        declared, db = self.declared(desk), desk.platform.db
        await asyncio.gather(*(declare(db, [declared], changed=True) for _ in range(3)))
        other = new_principal()
        await declare(db, [declared], changed=False)
        for who in (desk.who, other):
            [row] = await self.rows(desk, who)
            assert (row.declared_as, row.title, row.every_seconds) == ("desk.daily", "D", 86_400)

    async def test_it_starts_its_job(self, desk: Desk) -> None:
        declared = self.declared(desk)
        await declare(desk.platform.db, [declared], changed=True)
        [row] = await self.rows(desk, desk.who)
        await desk.let_be_due(row.id)
        assert await desk.ticker().tick() == 0  # a worker that does not declare it
        assert await desk.ticker(None, declared).tick() == 1
        assert len(await desk.jobs()) == 1

    async def test_another_declaration_takes_its_place_and_paused_stays_paused(
        self, desk: Desk
    ) -> None:
        db, who = desk.platform.db, desk.who
        await declare(db, [self.declared(desk)], changed=True)
        [row] = await self.rows(desk, who)
        async with desk.platform.unit(who) as session:
            change = Change(paused=True, every_seconds=7200)
            await desk.platform.schedules.change(session, who, row.id, change)
        await declare(db, [self.declared(desk)], changed=True)
        assert (await self.rows(desk, who))[0].every_seconds == 7200  # as a person has it
        await declare(db, [self.declared(desk, cron("0 6 * * *"))], changed=False)
        assert (await self.rows(desk, who))[0].every_seconds == 7200
        await declare(db, [self.declared(desk, cron("0 6 * * *"))], changed=True)
        [row] = await self.rows(desk, who)
        assert (row.cron, row.every_seconds, row.paused) == ("0 6 * * *", None, True)

    async def test_it_can_be_paused_and_moved_but_not_removed_or_given_a_payload(
        self, platform: Platform
    ) -> None:
        who, schedules = platform.owner, platform.schedules
        await declare(platform.db, schedules.declared, changed=True)
        async with platform.unit(who) as session:
            page, _ = await schedules.listed(session, limit=10)
            nightly = next(e for e in page if e.row.declared_as == "sample_pack.nightly_recount")
            with pytest.raises(StillDeclared, match="pause"):
                await schedules.delete(session, who, nightly.row.id)
            change = Change(payload={"title": "A"})
            with pytest.raises(Conflict, match="of your own"):
                await schedules.change(session, who, nightly.row.id, change)
            change = Change(cron="0 4 * * *", paused=False)
            changed = await schedules.change(session, who, nightly.row.id, change)
        assert changed.row.cron == "0 4 * * *"
        assert changed.row.next_at is not None

    async def test_one_that_no_pack_declares_any_more_says_so_and_can_go(self, desk: Desk) -> None:
        await declare(desk.platform.db, [self.declared(desk)], changed=True)
        async with desk.platform.unit(desk.who) as session:
            [shown], _ = await desk.platform.schedules.listed(session, limit=10)
            assert not shown.is_known
            await desk.platform.schedules.delete(session, desk.who, shown.row.id)
        assert await self.rows(desk, desk.who) == []


def test_a_wrong_declaration_stops_the_program_where_it_is_written() -> None:
    with pytest.raises(BadTiming):
        cron("every morning")
