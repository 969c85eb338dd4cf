"""Dossiers: one is current for each subject, flow and lane; the ones before are history."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from whence.evidence import dossiers, store
from whence.evidence.dossiers import Lane
from whence.evidence.records import Cite, ClaimDraft, DossierDraft, Figure, Finding, Judgement
from whence.kernel.ids import new_id

pytestmark = pytest.mark.anyio

FINDING = Finding("web", "1", "Found", "It has four words.", {"words": 4})


def words(cited: Any, settings: Any) -> int:
    return sum(item.evidence.data["words"] for item in cited)


def _draft(evidence_id: UUID, value: Any = 4, summary: str = "four", **more: Any) -> DossierDraft:
    claim = ClaimDraft(
        "words",
        "It has four words.",
        value,
        0.9,
        "rules:words@1",
        (Cite(evidence_id, "four words"),),
        Figure("words"),
    )
    return DossierDraft(1, summary, {"words": value}, (claim,), **more)


async def _save(platform: Any, run_id: UUID, lane: Lane, **draft: Any) -> UUID:
    async with platform.unit(platform.owner) as session:
        [evidence_id] = await store.keep(session, [FINDING])
        await store.judge(session, run_id, [Judgement(evidence_id, "note", True, "the note")])
        return await dossiers.save(
            session, run_id, lane, _draft(evidence_id, **draft), {"words": words}
        )


async def _current(platform: Any, lane: Lane) -> Any:
    async with platform.unit(platform.owner) as session:
        return await dossiers.current(session, lane)


@pytest.fixture
def lane() -> Lane:
    return Lane("notes", new_id(), "research")


async def test_a_saved_claim_carries_its_quote_with_offsets(
    platform: Any, new_run: Any, lane: Lane
) -> None:
    await _save(platform, new_run(), lane)
    [claim] = (await _current(platform, lane)).claims
    [cite] = claim["evidence"]
    assert claim["verdict"] == "supported"
    assert FINDING.content[cite["startsAt"] : cite["endsAt"]] == cite["quote"] == "four words"


async def test_a_tampered_figure_is_saved_as_unsupported_with_the_right_one(
    platform: Any, new_run: Any, lane: Lane
) -> None:
    await _save(platform, new_run(), lane, value=5)
    [claim] = (await _current(platform, lane)).claims
    assert (claim["value"], claim["verdict"]) == (5, "unsupported")
    assert claim["note"] == "recomputed from its evidence it is 4"


@pytest.mark.parametrize("value", [None, float("nan"), "a\x00b", {"nested": [float("inf")]}])
async def test_a_claim_with_an_odd_value_is_kept_and_marked(
    platform: Any, new_run: Any, lane: Lane, value: Any
) -> None:
    await _save(platform, new_run(), lane, value=value)
    [claim] = (await _current(platform, lane)).claims
    assert claim["verdict"] == "unsupported"


async def test_the_next_dossier_is_current_and_the_one_before_is_history(
    platform: Any, new_run: Any, lane: Lane
) -> None:
    first = await _save(platform, new_run(), lane, summary="first")
    second = await _save(platform, new_run(), lane, summary="second")
    assert (await _current(platform, lane)).id == second
    async with platform.unit(platform.owner) as session:
        history = await dossiers.history(session, lane, None, 10)
        older = await dossiers.history(session, lane, history[0].created_at, 10)
    assert [(d.id, d.is_current) for d in history] == [(second, True), (first, False)]
    assert [d.id for d in older] == [first]
    assert history[1].claims[0]["verdict"] == "supported"


async def test_saving_again_for_the_same_run_has_one_effect(
    platform: Any, new_run: Any, lane: Lane
) -> None:
    run_id = new_run()
    one = await _save(platform, run_id, lane)
    two = await _save(platform, run_id, lane, summary="again")
    assert one == two
    current = await _current(platform, lane)
    assert (current.summary, len(current.claims)) == ("again", 1)
    async with platform.unit(platform.owner) as session:
        assert len(await dossiers.history(session, lane, None, 10)) == 1


async def test_each_lane_has_its_own_current_dossier(
    platform: Any, new_run: Any, lane: Lane
) -> None:
    shadow = Lane(lane.kind, lane.subject_id, lane.flow, "shadow")
    one = await _save(platform, new_run(), lane)
    two = await _save(platform, new_run(), shadow)
    assert (await _current(platform, lane)).id == one
    assert (await _current(platform, shadow)).id == two


async def test_a_dossier_that_fails_half_way_leaves_the_one_before_current(
    platform: Any, new_run: Any, lane: Lane
) -> None:
    first = await _save(platform, new_run(), lane)
    run_id = new_run()
    async with platform.unit(platform.owner) as session:
        [evidence_id] = await store.keep(session, [FINDING])
        await dossiers.save(session, run_id, lane, _draft(evidence_id), {"words": words})
        await session.rollback()
    current = await _current(platform, lane)
    assert (current.id, current.is_current) == (first, True)


async def test_a_partial_dossier_says_so(platform: Any, new_run: Any, lane: Lane) -> None:
    await _save(platform, new_run(), lane, partial=True)
    current = await _current(platform, lane)
    assert current.is_partial
    assert current.created_at <= datetime.now(UTC)
