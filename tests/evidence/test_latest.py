"""The current dossier with its evidence, kept in memory: never other than the database has it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from whence.evidence import dossiers, latest, store
from whence.evidence.dossiers import Lane
from whence.evidence.records import Cite, ClaimDraft, DossierDraft, Finding, Judgement
from whence.kernel.ids import new_id

pytestmark = pytest.mark.anyio

FINDING = Finding("web", "1", "Found", "It has four words.", {"words": 4})


@pytest.fixture
def lane() -> Lane:
    return Lane("notes", new_id(), "research")


async def _save(platform: Any, run_id: UUID, lane: Lane, summary: str = "four") -> UUID:
    """A dossier of one claim; the id of its evidence."""
    async with platform.unit(platform.owner) as session:
        [evidence_id] = await store.keep(session, [FINDING])
        await store.judge(session, run_id, [Judgement(evidence_id, "note", True, "the note")])
        claim = ClaimDraft("words", "Four words.", 4, 0.9, "rules:words@1", (Cite(evidence_id),))
        draft = DossierDraft(1, summary, {"words": 4}, (claim,))
        await dossiers.save(session, run_id, lane, draft, {})
    return evidence_id


async def _latest(platform: Any, lane: Lane, who: Any = None) -> Any:
    async with platform.unit(who or platform.owner) as session:
        return await latest.latest(session, lane)


async def test_there_is_none_before_one_was_saved(platform: Any, lane: Lane) -> None:
    assert await _latest(platform, lane) is None


async def test_it_has_the_dossier_and_all_evidence_of_its_run(
    platform: Any, new_run: Any, lane: Lane
) -> None:
    run_id = new_run()
    result = await _save(platform, run_id, lane)
    latest = await _latest(platform, lane)
    assert (latest.dossier.job_id, latest.dossier.summary) == (run_id, "four")
    assert [each.evidence.id for each in latest.evidence] == [result]


async def test_what_did_not_change_is_not_read_again(
    platform: Any, new_run: Any, lane: Lane
) -> None:
    await _save(platform, new_run(), lane)
    first = await _latest(platform, lane)
    assert await _latest(platform, lane) is first


async def test_a_new_dossier_takes_its_place(platform: Any, new_run: Any, lane: Lane) -> None:
    await _save(platform, new_run(), lane)
    await _latest(platform, lane)
    await _save(platform, new_run(), lane, "now five")
    assert (await _latest(platform, lane)).dossier.summary == "now five"


async def test_a_dossier_that_is_saved_again_is_read_again(
    platform: Any, new_run: Any, lane: Lane
) -> None:
    run_id = new_run()
    await _save(platform, run_id, lane)
    await _latest(platform, lane)
    await _save(platform, run_id, lane, "counted again")
    assert (await _latest(platform, lane)).dossier.summary == "counted again"


async def test_a_notice_is_read(platform: Any, new_run: Any, lane: Lane) -> None:
    run_id = new_run()
    await _save(platform, run_id, lane)
    await _latest(platform, lane)
    async with platform.unit(platform.owner) as session:
        await dossiers.note(session, run_id, ["It ended early."], record_changed=True)
    now = (await _latest(platform, lane)).dossier
    assert (now.notices, now.record_changed) == (["It ended early."], True)


async def test_evidence_that_is_judged_anew_is_read_again(
    platform: Any, new_run: Any, lane: Lane
) -> None:
    run_id = new_run()
    result = await _save(platform, run_id, lane)
    await _latest(platform, lane)
    async with platform.unit(platform.owner) as session:
        await store.judge(session, run_id, [Judgement(result, "note", False, "another note")])
    [each] = (await _latest(platform, lane)).evidence
    assert each.judgement.reason == "another note"


async def test_another_organization_gets_nothing_of_it(
    platform: Any, new_run: Any, new_principal: Any, lane: Lane
) -> None:
    await _save(platform, new_run(), lane)
    await _latest(platform, lane)
    assert await _latest(platform, lane, new_principal()) is None


async def test_only_so_many_are_kept_and_not_for_long(
    platform: Any, new_run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(latest, "MAX_CACHED", 2)
    lanes = [Lane("notes", new_id(), "research") for _ in range(3)]
    for one in lanes:
        await _save(platform, new_run(), one)
    first, *_ = [await _latest(platform, one) for one in lanes]
    assert await _latest(platform, lanes[0]) is not first
    monkeypatch.setattr(latest, "MAX_CACHED", 64)
    monkeypatch.setattr(latest, "CACHE_SECONDS", 0.0)
    newest = await _latest(platform, lanes[2])
    assert await _latest(platform, lanes[2]) is not newest
