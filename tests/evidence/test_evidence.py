"""Evidence is kept once, never changed, and judged by each run for itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from whence.db.app_role import APP_ROLE
from whence.db.database import Database
from whence.db.statements import storable
from whence.db.urls import as_app
from whence.evidence import store
from whence.evidence.checks import same
from whence.evidence.records import Finding, Judgement
from whence.kernel.ids import new_id

pytestmark = pytest.mark.anyio

KETTLE = Finding(
    "ebay",
    "123",
    "Kettle",
    "A kettle, used.",
    {"price": 12.5},
    url="https://example.org/123",
    observed_at=datetime(2026, 5, 1, tzinfo=UTC),
)


async def _count(platform: Any) -> int:
    async with platform.unit(platform.owner) as session:
        return (await session.execute(text("SELECT count(*) FROM whence.evidence"))).scalar_one()


async def test_the_same_finding_is_kept_once(platform: Any) -> None:
    async with platform.unit(platform.owner) as session:
        one = await store.keep(session, [KETTLE, KETTLE])
    async with platform.unit(platform.owner) as session:
        two = await store.keep(session, [KETTLE])
    assert one == two * 2
    assert await _count(platform) == 1


async def test_a_finding_that_changed_is_new_evidence_beside_the_old(platform: Any) -> None:
    changes = [
        replace(KETTLE, title="Kettle!"),
        replace(KETTLE, content="A kettle, new."),
        replace(KETTLE, url=None),
        replace(KETTLE, data={"price": 13}),
        replace(KETTLE, observed_at=None),
        replace(KETTLE, source_id="124"),
        replace(KETTLE, source="web"),
    ]
    async with platform.unit(platform.owner) as session:
        ids = await store.keep(session, [KETTLE, *changes])
    assert len(set(ids)) == len(changes) + 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE whence.evidence SET title = 'other'",
        "DELETE FROM whence.evidence",
        "TRUNCATE whence.evidence",
    ],
)
async def test_evidence_cannot_be_changed_or_removed(platform: Any, statement: str) -> None:
    async with platform.unit(platform.owner) as session:
        await store.keep(session, [KETTLE])
    with pytest.raises(ProgrammingError, match="permission denied"):
        async with platform.unit(platform.owner) as session:
            await session.execute(text(statement))
    assert await _count(platform) == 1


async def test_a_judgement_replaces_the_one_before(platform: Any, new_run: Any) -> None:
    run_id = new_run()
    async with platform.unit(platform.owner) as session:
        [kettle] = await store.keep(session, [KETTLE])
        await store.judge(session, run_id, [Judgement(kettle, "comp", True, "same model", 0.9)])
        await store.judge(session, run_id, [Judgement(kettle, "comp", False, "parts only", 0.1)])
        bundle = await store.bundle(session, run_id)
    assert [item.judgement for item in bundle] == [
        Judgement(kettle, "comp", False, "parts only", 0.1)
    ]


async def test_each_run_judges_for_itself_and_excluded_evidence_stays(
    platform: Any, new_run: Any
) -> None:
    one, two = new_run(), new_run()
    async with platform.unit(platform.owner) as session:
        [kettle] = await store.keep(session, [KETTLE])
        await store.judge(session, one, [Judgement(kettle, "comp", True, "same model", 0.9)])
        await store.judge(session, two, [Judgement(kettle, "comp", False, "another colour", 0.4)])
        assert [i.judgement.included for i in await store.bundle(session, one)] == [True]
        [excluded] = await store.bundle(session, two)
    assert (excluded.judgement.reason, excluded.evidence.title) == ("another colour", "Kettle")


async def test_a_bundle_is_narrowed_by_role_and_by_evidence(platform: Any, new_run: Any) -> None:
    run_id = new_run()
    async with platform.unit(platform.owner) as session:
        a, b = await store.keep(session, [KETTLE, replace(KETTLE, source_id="9")])
        await store.judge(
            session,
            run_id,
            [Judgement(a, "comp", True, "x", 0.3), Judgement(b, "record", True, "y")],
        )
        assert [i.evidence.id for i in await store.bundle(session, run_id, "record")] == [b]
        assert [i.evidence.id for i in await store.bundle(session, run_id, only=[a])] == [a]
        assert await store.bundle(session, run_id, only=[]) == []


async def test_two_runs_that_keep_the_same_findings_do_not_lock_each_other_out(
    platform: Any,
) -> None:
    result = [replace(KETTLE, source_id=str(number)) for number in range(4000)]

    async def keep(findings: list[Finding]) -> list[Any]:
        async with platform.unit(platform.owner) as session:
            ids = await store.keep(session, findings)
            await asyncio.sleep(0.05)
            return ids

    for turn in range(2):
        batch = [replace(f, source=f"turn {turn}") for f in result]
        forward, backward = await asyncio.gather(keep(batch), keep(batch[::-1]))
        assert forward == backward[::-1]


Keep = Callable[[Finding], tuple[str, str, Any]]


@pytest.fixture
def keep(database_url: str) -> Iterator[Keep]:
    """Keep a finding twice, see that it is one, and read it back; nothing stays."""
    with asyncio.Runner() as runner:
        db = Database(as_app(database_url, role=APP_ROLE, application="test"))
        yield lambda finding: runner.run(_round_trip(db, finding))
        runner.run(db.close())


async def _round_trip(db: Database, finding: Finding) -> tuple[str, str, Any]:
    async with db.unit(new_id()) as session:
        [evidence_id] = await store.keep(session, [finding])
        assert await store.keep(session, [finding]) == [evidence_id]
        query = text("SELECT title, content, data FROM whence.evidence WHERE id = :id")
        title, content, data = (await session.execute(query, {"id": evidence_id})).one()
        await session.rollback()
    return title, content, data


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**50), 2**50) | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(title=st.text(), content=st.text(), data=st.dictionaries(st.text(), JSON, max_size=3))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_was_found_is_kept_as_it_was_and_once(
    keep: Keep, title: str, content: str, data: dict[str, Any]
) -> None:
    """NUL, half surrogates, NaN: outside text may hold anything, and must not end a run."""
    stored = keep(Finding("web", content[:5], title, content, data))
    assert stored[:2] == (_plain(title), _plain(content))
    assert same(stored[2], storable(data))


def _plain(text: str) -> str:
    return "".join("?" if 0xD800 <= ord(c) < 0xE000 else c for c in text if c != "\x00")
