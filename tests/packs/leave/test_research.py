"""A leave request researched by the whole program: a dossier whose claims rest on rule texts."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from whence.app.platform import Platform
from whence.chat.citing.composing import compose
from whence.chat.citing.grounding import Grounding
from whence.chat.citing.sources import SourceBook
from whence.chat.load_record_view import load_record_view
from whence.evidence import dossiers, store
from whence.evidence.wire import DossierAnswer, dossier_answer
from whence.kernel.clock import now
from whence.packs.leave.chat.offer import CHAT
from whence.packs.leave.pack import FOLDER
from whence.records import store as records
from whence.research import runs
from whence.sdk.imports import ImportContext, ImportReport

pytestmark = pytest.mark.anyio
PATIENCE = 60.0
SAMPLE = FOLDER / "sample" / "requests.jsonl"


async def imported(platform: Platform, path: Path) -> ImportReport:
    context = ImportContext(platform.owner, platform.db, platform.settings)
    return await platform.importer("leave.requests").run(context, path)


async def researched(platform: Platform, reference: str) -> tuple[DossierAnswer, dict[str, str]]:
    """The current dossier, and the section text of each rule by its id."""
    kind, flow = platform.kind("leave-requests"), platform.flow("leave-requests", None)
    async with platform.unit(platform.owner) as session:
        row = await records.resolve(session, kind, reference)
        submitted = await runs.request(session, platform.queue, platform.owner, kind, flow, row.id)
    ended = await asyncio.wait_for(_ended(platform, submitted.id), PATIENCE)
    async with platform.unit(platform.owner) as session:
        lane = dossiers.Lane("leave-requests", row.id, flow.id)
        dossier = await dossiers.current(session, lane)
        assert dossier is not None, ended
        bundle = await store.bundle(session, dossier.run_id)
    rules = {b.evidence.source_id: b.evidence.content for b in bundle if b.judgement.role == "rule"}
    return dossier_answer(dossier), rules


async def _ended(platform: Platform, run_id: Any) -> Any:
    async for batch in platform.bus.tail(platform.owner.org_id, run_id):
        for event in batch:
            if event.type == "job_complete":
                return event.payload
    raise AssertionError("a run's stream ends with job_complete")


async def test_the_sample_is_imported_once(platform: Platform) -> None:
    first = await imported(platform, SAMPLE)
    again = await imported(platform, SAMPLE)
    assert (first.added, first.refused) == (3, ())
    assert (again.added, again.updated, again.unchanged) == (0, 0, 3)


async def test_a_line_that_is_no_request_is_refused(platform: Platform, tmp_path: Path) -> None:
    path = tmp_path / "requests.jsonl"
    path.write_text('{"id": "x", "title": "T", "reason": "holiday"}\nno json\n', encoding="utf-8")
    report = await imported(platform, path)
    assert report.added == 0
    assert [refused.line for refused in report.refused] == [1, 2]
    assert report.refused[0].field == "reason"


async def test_every_claim_is_supported_by_facts_and_rules(
    platform: Platform, worker: object
) -> None:
    await imported(platform, SAMPLE)
    dossier, rules = await researched(platform, "LR-001")
    claims = {claim.path: claim for claim in dossier.claims}
    assert {claim.verdict for claim in dossier.claims} == {"supported"}
    assert claims["eligibility.pdl"].value == "appears_eligible"
    assert claims["rules.fmla.tenure"].value == "met"
    assert claims["leave.pdl"].value == pytest.approx(17 + 1 / 3)
    assert "29 CFR 825.110" in rules["fmla.hours"]
    assert dossier.summary.startswith("Appears eligible under FMLA and California pregnancy")


async def test_exactly_twelve_months_and_missing_facts_are_told(
    platform: Platform, worker: object
) -> None:
    await imported(platform, SAMPLE)
    dossier, _ = await researched(platform, "LR-003")
    values = {claim.path: claim.value for claim in dossier.claims}
    assert values["rules.fmla.tenure"] == "met"
    assert values["rules.cfra.tenure"] == "unknown"  # met the day after, and no end is known
    assert values["eligibility.fmla"] == "cannot_be_told"
    assert "employees_within_75_miles" in dossier.body["missing"]


async def test_chat_tells_when_it_was_researched_by_which_rules_and_what_changed_since(
    platform: Platform, worker: object
) -> None:
    await imported(platform, SAMPLE)
    dossier, _ = await researched(platform, "LR-003")
    kind, who = platform.kind("leave-requests"), platform.owner
    async with platform.unit(who) as session:
        row = await records.resolve(session, kind, "LR-003")
        await records.patch(session, who, kind, row.id, {"hours_last_12_months": 1300.0}, None)
    async with platform.unit(who) as session:
        view = await load_record_view(session, kind, row.id, now())

    book = SourceBook()
    grounding = Grounding(book)
    grounding.feed(compose(CHAT, view, "When was it researched, and by which rules?", book))
    grounding.end()
    text = grounding.result()

    assert f"It was last researched on {dossier.created_at:%Y-%m-%d} [1]" in text.text
    assert f"version {dossier.body['laws'][0]['rulesVersion']} of the FMLA rules" in text.text
    assert "Changed since: the hours worked in the 12 months" in text.text
    assert "from 1250.0 to 1300.0" in text.text
    assert (text.removed, text.uncited, text.unsupported) == (0, (), ())
