"""Sections of a dossier have versions and claims of their own."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import pytest

from whence.evidence import dossiers, sections, store
from whence.evidence.dossiers import Lane
from whence.evidence.records import Cite, ClaimDraft, Finding, Judgement, SectionDraft
from whence.kernel.ids import new_id

pytestmark = pytest.mark.anyio

FINDING = Finding("web", "1", "Found", "It has four words.", {})


@pytest.fixture
def lane() -> Lane:
    return Lane("notes", new_id(), "research")


async def _save(
    platform: Any, run_id: UUID, lane: Lane, name: str, quote: str = "four words"
) -> int:
    async with platform.unit(platform.owner) as session:
        [evidence_id] = await store.keep(session, [FINDING])
        await store.judge(session, run_id, [Judgement(evidence_id, "web", True, "found")])
        claim = ClaimDraft("w", "Words.", 4, 0.9, "rules:w@1", (Cite(evidence_id, quote),))
        draft = SectionDraft(name, name.title(), "said", {"w": 4}, (claim,))
        return await sections.save(session, run_id, lane, draft, {})


async def _current(platform: Any, lane: Lane, who: Any = None) -> list[Any]:
    async with platform.unit(who or platform.owner) as session:
        return await sections.current(session, lane)


async def test_a_section_is_seen_before_there_is_a_dossier(
    platform: Any, new_run: Any, lane: Lane
) -> None:
    run_id = new_run(status="running")
    await _save(platform, run_id, lane, "timeline")
    [section] = await _current(platform, lane)
    assert (section.name, section.version, section.run_id) == ("timeline", 1, run_id)
    [claim] = section.claims
    assert claim["verdict"] == "supported"
    [cite] = claim["evidence"]
    assert FINDING.content[cite["startsAt"] : cite["endsAt"]] == "four words"
    async with platform.unit(platform.owner) as session:
        assert await dossiers.current(session, lane) is None


async def test_a_rerun_of_one_section_raises_its_version_alone(
    platform: Any, new_run: Any, lane: Lane
) -> None:
    first = new_run()
    for name in ("people", "timeline"):
        await _save(platform, first, lane, name)
    await _save(platform, new_run(), lane, "timeline")
    assert [(s.name, s.version) for s in await _current(platform, lane)] == [
        ("people", 1),
        ("timeline", 2),
    ]


async def test_a_node_that_runs_again_saves_the_same_version(
    platform: Any, new_run: Any, lane: Lane
) -> None:
    run_id = new_run()
    assert await _save(platform, run_id, lane, "timeline") == 1
    assert await _save(platform, run_id, lane, "timeline", "five words") == 1
    [section] = await _current(platform, lane)
    assert [claim["verdict"] for claim in section.claims] == ["unsupported"]


async def test_two_runs_that_save_one_section_at_once_get_two_versions(
    platform: Any, new_run: Any, lane: Lane
) -> None:
    saving = [_save(platform, new_run(), lane, "timeline") for _ in range(6)]
    assert sorted(await asyncio.gather(*saving)) == [1, 2, 3, 4, 5, 6]
    assert [section.version for section in await _current(platform, lane)] == [6]


async def test_lanes_and_organizations_see_their_own(
    platform: Any, new_run: Any, new_principal: Any, lane: Lane
) -> None:
    await _save(platform, new_run(), lane, "timeline")
    shadow = Lane(lane.kind, lane.subject_id, lane.flow, "shadow")
    assert await _current(platform, shadow) == []
    assert await _current(platform, lane, new_principal()) == []
