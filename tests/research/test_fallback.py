"""A candidate version does the work; where it fails, the primary one does it in the same run."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from whence.evidence import dossiers
from whence.evidence.records import Cite, ClaimDraft, DossierDraft, Finding, Judgement
from whence.kernel.errors import Invalid, Unavailable
from whence.research.versions import Flows, parse
from whence.work import transitions

pytestmark = pytest.mark.anyio


async def judge(run: Any, source_id: str) -> Any:
    [result] = await run.keep([Finding("web", source_id, "Found", "It has words.", {})])
    await run.judge([Judgement(result, "note", included=True, reason="found")])
    return result


async def reliable(state: Any, run: Any) -> dict[str, Any]:
    result = await judge(run, "primary")
    claim = ClaimDraft("words", "Words.", 4, 0.5, "rules:count@1", (Cite(result),))
    async with run.fenced() as session:
        await run.save(session, DossierDraft(1, "words", {"words": 4}, (claim,)))
    return {}


async def begins_well(state: Any, run: Any) -> dict[str, Any]:
    await judge(run, "candidate")
    return {"trail": ["begins_well"]}


async def refuses(state: Any, run: Any) -> dict[str, Any]:
    raise Invalid("The candidate cannot do this.")


async def crashes(state: Any, run: Any) -> dict[str, Any]:
    raise ZeroDivisionError


async def waits(state: Any, run: Any) -> dict[str, Any]:
    raise Unavailable("The candidate's source is away.", retry_after=0.05)


def flows(bench: Any, *candidate: Any) -> Flows:
    return Flows([bench.flow(reliable)], [bench.flow(*candidate, version="2")])


async def ask(bench: Any, offered: Flows, setting: str = "notes/research=candidate:2") -> Any:
    platform = bench.with_flows(offered, parse(setting, offered))
    note = await bench.note()
    async with platform.unit(platform.owner) as session:
        kind = platform.kind("notes")
        return (await platform.ask(session, platform.owner, kind, note)).id


async def dossier_of(bench: Any, run_id: Any) -> Any:
    platform = bench.platform
    async with platform.unit(platform.owner) as session:
        return await dossiers.of_run(session, run_id)


async def test_a_candidate_that_works_does_the_work(bench: Any) -> None:
    offered = Flows([bench.flow(refuses)], [bench.flow(reliable, version="2")])
    run_id = await ask(bench, offered)
    async with bench.working(offered):
        run = await bench.until(run_id)
    assert (run.status, run.flow_version, run.lane) == ("success", "2", "primary")
    assert run.fallback is None


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (refuses, "The candidate cannot do this."),
        (crashes, "an unexpected error (ZeroDivisionError)."),
    ],
)
async def test_a_candidate_that_fails_gives_way_in_the_same_run_and_it_is_said(
    bench: Any, fault: Any, reason: str
) -> None:
    offered = flows(bench, begins_well, fault)
    run_id = await ask(bench, offered)
    async with bench.working(offered):
        run = await bench.until(run_id)
    notice = f"Version 2 of the research flow failed and version 1 took over: {reason}"
    assert (run.status, run.flow_version, run.attempt) == ("success", "1", 2)
    assert run.fallback == {"candidate": "2", "primary": "1", "reason": reason}
    assert run.notice == notice
    events = await bench.events(run_id)
    assert [e.payload["notice"] for e in events if e.type == "job_notice"] == [notice]
    assert [e.type for e in events].count("job_complete") == 1
    dossier = await dossier_of(bench, run_id)
    assert (dossier.flow_version, dossier.notices) == ("1", [notice])
    assert dossier.fallback == run.fallback


async def test_what_the_candidate_judged_is_not_in_the_primary_versions_bundle(bench: Any) -> None:
    offered = flows(bench, begins_well, refuses)
    run_id = await ask(bench, offered)
    async with bench.working(offered):
        await bench.until(run_id)
    platform = bench.platform
    query = text("""SELECT e.source_id FROM whence.bundle_items b
        JOIN whence.evidence e ON e.id = b.evidence_id WHERE b.run_id = :run""")
    async with platform.unit(platform.owner) as session:
        rows = list(await session.scalars(query, {"run": run_id}))
    assert rows == ["primary"]


async def test_an_outage_is_waited_for_before_the_candidate_is_given_up(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transitions, "MAX_OUTAGES", 2)
    offered = flows(bench, waits)
    run_id = await ask(bench, offered)
    async with bench.working(offered):
        paused = await bench.until(run_id, "paused")
        assert paused.fallback is None
        run = await bench.until(run_id)
    assert (run.status, run.flow_version, run.attempt) == ("success", "1", 3)


async def test_a_primary_version_that_fails_too_ends_the_run(bench: Any) -> None:
    offered = Flows([bench.flow(refuses)], [bench.flow(crashes, version="2")])
    run_id = await ask(bench, offered)
    async with bench.working(offered):
        run = await bench.until(run_id)
    assert (run.status, run.attempt) == ("error", 2)
    assert run.fallback is not None
    assert run.error is not None
    assert run.error["message"] == "The candidate cannot do this."
