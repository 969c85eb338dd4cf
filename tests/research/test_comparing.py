"""Dossiers of two lanes are compared as they stand in the database."""

from __future__ import annotations

from typing import Any

import pytest

from whence.app import build
from whence.evidence.lanes import LaneName
from whence.evidence.records import Cite, ClaimDraft, DossierDraft, Finding, Judgement
from whence.kernel.errors import Misconfigured, NotFound
from whence.research import comparing
from whence.research.versions import Flows, parse

pytestmark = pytest.mark.anyio


def concludes(words: int, confidence: float, source: str, *more: str) -> Any:
    async def conclude(state: Any, run: Any) -> dict[str, Any]:
        [result] = await run.keep([Finding("web", source, "Found", "It has words.", {})])
        await run.judge([Judgement(result, "note", included=True, reason="found")])
        drafts = [("words", words), *((path, 1) for path in more)]
        claims = tuple(
            ClaimDraft(path, "Words.", value, confidence, "rules:count@1", (Cite(result),))
            for path, value in drafts
        )
        async with run.fenced() as session:
            await run.save(session, DossierDraft(1, "words", {"words": words}, claims))
        return {}

    return conclude


@pytest.fixture
def flows(bench: Any) -> Flows:
    one, two = concludes(4, 0.5, "a", "old"), concludes(5, 0.75, "b", "new")
    return Flows([bench.flow(one)], [bench.flow(two, version="2")])


async def research(bench: Any, flows: Flows, setting: str) -> Any:
    """A note that both versions have researched."""
    platform = bench.with_flows(flows, parse(setting, flows))
    note = await bench.note()
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        submitted = [await platform.ask(session, platform.owner, kind, note)]
        if setting:
            shadow = {"lane": LaneName.SHADOW, "version": "2"}
            submitted.append(await platform.ask(session, platform.owner, kind, note, **shadow))
            # The setting has asked for it already: this is that shadow, not the work beside it.
            assert submitted[1].created is False
            assert submitted[1].id != submitted[0].id
    async with bench.working(flows):
        for one in submitted:
            assert (await bench.until(one.id)).status == "success"
    return note


async def test_a_record_researched_in_both_lanes_has_a_difference(bench: Any, flows: Flows) -> None:
    note = await research(bench, flows, "notes/research=shadow:2")
    platform = bench.platform
    async with platform.unit(platform.owner) as session:
        report = await comparing.difference(session, "notes", note, "research")
        total = await comparing.comparison(session, "notes", "research", 10)
    assert (report.base.flow_version, report.base.lane) == ("1", "primary")
    assert (report.other.flow_version, report.other.lane) == ("2", "shadow")
    assert report.base.subject_version == report.other.subject_version == 1
    assert report.base.spent.seconds > 0
    rows = {one.path: one for one in report.differences}
    assert (rows["old"].only_in, rows["new"].only_in) == ("base", "other")
    assert rows["words"].differs_in == ["value", "confidence", "evidence"]
    assert rows["words"].confidence_by == 0.25
    assert len(rows["words"].evidence_added) == len(rows["words"].evidence_removed) == 1
    assert (total.records, total.claims, total.agreeing, total.identical) == (1, 3, 0, 0)


async def test_a_record_without_a_shadow_has_nothing_to_compare(bench: Any, flows: Flows) -> None:
    note = await research(bench, flows, "")
    platform = bench.platform
    async with platform.unit(platform.owner) as session:
        with pytest.raises(NotFound, match="no dossier in both lanes"):
            await comparing.difference(session, "notes", note, "research")
        assert (await comparing.comparison(session, "notes", "research", 10)).records == 0


async def test_another_organization_has_nothing_to_compare(
    bench: Any, flows: Flows, new_principal: Any
) -> None:
    await research(bench, flows, "notes/research=shadow:2")
    platform = bench.platform
    async with platform.unit(new_principal()) as session:
        assert (await comparing.comparison(session, "notes", "research", 10)).records == 0


async def test_a_wrong_rollout_is_refused_at_start(settings: Any) -> None:
    wrong = settings.model_copy(update={"rollout": "notes/research=shadow:2"})
    with pytest.raises(Misconfigured, match=r"WHENCE_ROLLOUT.*declares them under `candidates`"):
        async with build.platform(wrong):
            pass
