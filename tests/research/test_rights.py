"""A run acts with what its requester was allowed when it was asked for, as far as that still is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import psycopg
import pytest

from whence.evidence import dossiers
from whence.records import store
from whence.research import runs
from whence.research.attempt import claim
from whence.tenancy.principal import Principal, Role, Scope

pytestmark = pytest.mark.anyio


@pytest.fixture
def member(new_principal: Any, bench: Any) -> Principal:
    return new_principal(Role.MEMBER, org_id=bench.platform.owner.org_id)


async def _asked_by(bench: Any, who: Principal, flow: Any) -> Any:
    platform = bench.platform
    kind, note = platform.kind("notes"), await bench.note()
    async with platform.unit(who) as session:
        submitted = await runs.request(session, platform.queue, who, kind, flow, note)
    return submitted.id


def _execute(database_url: str, statement: str, who: Principal) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute(statement, (who.user_id,))


async def nothing(state: Any, run: Any) -> dict[str, Any]:
    return {}


async def test_a_run_has_no_more_scopes_than_the_token_that_asked(
    bench: Any, member: Principal
) -> None:
    narrow = replace(member, scopes=frozenset({Scope.READ, Scope.WRITE}))
    run_id = await _asked_by(bench, narrow, bench.flow(nothing))
    attempt = await claim(bench.platform.db, member.org_id, run_id, bench.platform.kinds)
    assert attempt is not None
    assert attempt.principal.scopes == {Scope.READ, Scope.WRITE}
    assert attempt.principal.user_id == member.user_id


async def test_a_role_that_was_taken_away_is_taken_from_the_run_too(
    bench: Any, member: Principal, database_url: str
) -> None:
    run_id = await _asked_by(bench, member, bench.flow(nothing))
    _execute(database_url, "UPDATE whence.memberships SET role='viewer' WHERE user_id=%s", member)
    attempt = await claim(bench.platform.db, member.org_id, run_id, bench.platform.kinds)
    assert attempt is not None
    assert attempt.principal.scopes == {Scope.READ}


async def test_a_run_of_somebody_who_left_ends_in_words_and_another_may_take_it_on(
    bench: Any, member: Principal, database_url: str
) -> None:
    acted: list[Principal] = []

    async def act(state: Any, run: Any) -> dict[str, Any]:
        acted.append(run.principal)
        return {}

    flow = bench.flow(act)
    run_id = await _asked_by(bench, member, flow)
    _execute(database_url, "DELETE FROM whence.memberships WHERE user_id=%s", member)
    async with bench.working(flow):
        run = await bench.until(run_id)
        assert (run.status, run.error["type"], acted) == ("error", "RequesterLeft", [])
        assert "no longer a member" in run.error["message"]
        await bench.resume(run_id)
        run = await bench.until(run_id)
    assert run.status == "success"
    assert [who.user_id for who in acted] == [bench.platform.owner.user_id]


async def test_a_record_that_changed_during_the_run_is_told_with_it(bench: Any) -> None:
    platform = bench.platform
    kind, note = platform.kind("notes"), await bench.note()

    async def change(state: Any, run: Any) -> dict[str, Any]:
        async with platform.unit(platform.owner) as session:
            await store.patch(session, platform.owner, kind, note, {"title": "Another"}, None)
        return {}

    flow = bench.flow(change)
    run_id = await bench.ask(flow, note)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.status, run.record_changed, run.subject_version) == ("success", True, 1)
    assert run.notice.startswith("The record changed during this research")


async def test_a_record_that_changed_before_the_run_began_is_no_news(bench: Any) -> None:
    platform = bench.platform
    kind, note = platform.kind("notes"), await bench.note()
    flow = bench.flow(nothing)
    run_id = await bench.ask(flow, note)
    async with platform.unit(platform.owner) as session:
        await store.patch(session, platform.owner, kind, note, {"title": "Another"}, None)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.record_changed, run.subject_version, run.notice) == (False, 2, None)


async def test_a_dossier_says_which_version_of_the_record_it_is_about(bench: Any) -> None:
    platform = bench.platform
    kind, note = platform.kind("notes"), await bench.note()
    flow = platform.flow("notes", None)
    before = flow.nodes[-1]

    async def persist_results(state: Any, run: Any) -> Any:
        async with platform.unit(platform.owner) as session:
            await store.patch(session, platform.owner, kind, note, {"title": "Another"}, None)
        return await before(state, run)

    changing = replace(flow, nodes=(*flow.nodes[:-1], persist_results))
    run_id = await bench.ask(changing, note)
    async with bench.working(changing):
        await bench.until(run_id)
    async with platform.unit(platform.owner) as session:
        dossier = await dossiers.of_run(session, run_id)
    assert dossier is not None
    assert (dossier.subject_version, dossier.record_changed) == (1, True)
    assert dossier.notices[0].startswith("The record changed")
