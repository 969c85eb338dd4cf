"""A shadow run: another version beside the primary one, whose result touches nothing."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import select, update

from whence.evidence import dossiers
from whence.evidence.lanes import LaneName
from whence.evidence.records import Cite, ClaimDraft, DossierDraft, Finding, Judgement
from whence.kernel.errors import Invalid
from whence.research.tables import Run
from whence.research.versions import Flows, Rollout, parse

pytestmark = pytest.mark.anyio


async def conclude(run: Any, value: int, **columns: Any) -> None:
    """Save a dossier with one claim, and change the record as a pack does."""
    [result] = await run.keep([Finding("web", "1", "Found", "It has words.", {})])
    await run.judge([Judgement(result, "note", included=True, reason="found")])
    claim = ClaimDraft("words", "Words.", value, 0.5, "rules:count@1", (Cite(result),))
    async with run.fenced() as session:
        await run.save(session, DossierDraft(1, "words", {"words": value}, (claim,)))
        await run.change(session, {"title": f"changed to {value}", **columns})


async def finds_four(state: Any, run: Any) -> dict[str, Any]:
    await conclude(run, 4)
    return {}


async def finds_five(state: Any, run: Any) -> dict[str, Any]:
    await conclude(run, 5)
    return {}


async def breaks(state: Any, run: Any) -> dict[str, Any]:
    raise Invalid("The candidate cannot do this.")


async def writes_with_its_own_statement(state: Any, run: Any) -> dict[str, Any]:
    row = run.subject_kind.row
    async with run.fenced() as session:
        await session.execute(update(row).values(title="overwritten"))
    return {}


async def writes_outside_the_fence(state: Any, run: Any) -> dict[str, Any]:
    row = run.subject_kind.row
    async with run.unit() as session:
        await session.execute(update(row).values(title="overwritten"))
    return {}


class Two:
    """Version 1 is the primary one, version 2 the candidate."""

    def __init__(self, bench: Any, one: Any, two: Any, setting: str | None = None) -> None:
        self.bench = bench
        self.flows = Flows([bench.flow(one)], [bench.flow(two, version="2")])
        self.rollout: Rollout = parse(setting, self.flows)

    async def ask(self, note: UUID, **how: Any) -> UUID:
        platform = self.bench.with_flows(self.flows, self.rollout)
        async with platform.unit(platform.owner) as session:
            kind = platform.kind("notes")
            return (await platform.ask(session, platform.owner, kind, note, **how)).id

    async def shadow_of(self, note: UUID) -> Run | None:
        platform = self.bench.platform
        query = select(Run).where(Run.subject_id == note, Run.lane == "shadow")
        async with platform.unit(platform.owner) as session:
            return (await session.scalars(query)).one_or_none()

    async def current(self, note: UUID, lane: str = "primary") -> Any:
        platform = self.bench.platform
        async with platform.unit(platform.owner) as session:
            dossier = await dossiers.current(
                session, dossiers.Lane("notes", note, "research", lane)
            )
        return dossier.body["words"] if dossier else None


def title(database_url: str) -> str:
    with psycopg.connect(database_url) as connection:
        row = connection.execute("SELECT title FROM sample_pack.notes").fetchone()
    assert row is not None
    return row[0]


async def test_both_versions_work_on_the_record_each_in_its_lane(
    bench: Any, database_url: str
) -> None:
    two = Two(bench, finds_four, finds_five, "notes/research=shadow:2")
    note = await bench.note()
    run_id = await two.ask(note, options={"interactive": True, "depth": 1})
    shadow = await two.shadow_of(note)
    assert shadow is not None
    assert (shadow.flow_version, shadow.priority) == ("2", -10)
    assert shadow.options == {"depth": 1}  # a shadow asks nobody
    async with bench.working(two.flows):
        assert (await bench.until(run_id)).flow_version == "1"
        assert (await bench.until(shadow.id)).status == "success"
    assert await two.current(note) == 4
    assert await two.current(note, "shadow") == 5
    assert title(database_url) == "changed to 4"


async def test_a_shadow_that_fails_leaves_the_primary_alone(bench: Any) -> None:
    two = Two(bench, finds_four, breaks, "notes/research=shadow:2")
    note = await bench.note()
    run_id = await two.ask(note)
    async with bench.working(two.flows):
        run = await bench.until(run_id)
        shadow = await two.shadow_of(note)
        assert shadow is not None
        assert (await bench.until(shadow.id)).status == "error"
    assert (run.status, run.notice, run.fallback) == ("success", None, None)
    assert await two.current(note, "shadow") is None


@pytest.mark.parametrize("writes", [writes_with_its_own_statement, writes_outside_the_fence])
async def test_the_database_refuses_a_shadow_that_writes_past_the_context(
    bench: Any, database_url: str, writes: Any
) -> None:
    two = Two(bench, finds_four, writes)
    note = await bench.note()
    run_id = await two.ask(note, lane=LaneName.SHADOW)
    async with bench.working(two.flows):
        run = await bench.until(run_id)
    assert run.status == "error"
    assert run.error is not None
    assert run.error["type"] == "ShadowWrite"
    assert title(database_url) == "A note"


async def test_the_same_writes_are_allowed_to_the_version_that_does_the_work(
    bench: Any, database_url: str
) -> None:
    two = Two(bench, writes_with_its_own_statement, finds_five)
    run_id = await two.ask(await bench.note())
    async with bench.working(two.flows):
        assert (await bench.until(run_id)).status == "success"
    assert title(database_url) == "overwritten"


async def test_one_shadow_runs_at_a_time_and_none_beside_work_under_way(bench: Any) -> None:
    two = Two(bench, finds_four, finds_five, "notes/research=shadow:2")
    note = await bench.note()
    first = await two.ask(note)
    shadow = await two.shadow_of(note)
    assert await two.ask(note) == first
    await bench.cancel(first)
    assert await two.ask(note) != first  # the shadow of the first still waits: none is added
    again = await two.shadow_of(note)
    assert shadow is not None
    assert again is not None
    assert again.id == shadow.id


async def test_every_table_of_a_pack_is_closed_to_shadow_runs(database_url: str) -> None:
    """Those of packs made before this protection as well as those made after it."""
    with psycopg.connect(database_url) as connection:
        open_tables = connection.execute("""
            SELECT c.oid::regclass::text FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
            WHERE p.polname = 'tenant' AND c.relnamespace <> 'whence'::regnamespace
            AND NOT EXISTS (SELECT FROM pg_trigger t
                            WHERE t.tgrelid = c.oid AND t.tgname = 'refuse_shadow')
        """).fetchall()
        closed = connection.execute(
            "SELECT count(*) FROM pg_trigger WHERE tgname = 'refuse_shadow'"
        ).fetchone()
    assert open_tables == []
    assert closed is not None
    assert closed[0] >= 2
