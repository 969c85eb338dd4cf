"""The test kit: flows and turns in memory, imports on a database that is thrown away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from whence.evidence.records import Verdict
from whence.sdk.errors import NotFound
from whence.sdk.research import Question, RunContext
from whence.sdk.testing import (
    NeedsDatabase,
    answer_by_rules,
    installation,
    load_pack,
    run_flow,
)

pytestmark = pytest.mark.anyio
FOLDER = Path(__file__).parents[1] / "fixtures" / "sample_pack"


@pytest.fixture(scope="module")
def pack() -> Any:
    return load_pack(FOLDER)


@pytest.fixture
def note(pack: Any) -> Any:
    return pack.subjects[0].record(title="First", text="four words stand here")


async def test_a_flow_runs_in_memory_and_its_claims_are_checked(pack: Any, note: Any) -> None:
    result = await run_flow(pack, pack.flows[0], note)
    assert result.dossier.body == {"words": 4}
    assert [claim.verdict for claim in result.claims] == [Verdict.SUPPORTED]
    assert [item.judgement.reason for item in result.bundle("note")] == ["the note itself"]
    assert result.state["words"] == 4


async def test_a_claim_that_its_evidence_does_not_give_is_unsupported(pack: Any, note: Any) -> None:
    flow = pack.flows[0]
    wrong = replace(flow, recomputations={name: lambda *_: 5 for name in flow.recomputations})
    result = await run_flow(pack, wrong, note)
    assert [claim.verdict for claim in result.claims] == [Verdict.UNSUPPORTED]


async def test_a_turn_is_answered_from_the_result(pack: Any, note: Any) -> None:
    result = await run_flow(pack, pack.flows[0], note)
    answer = answer_by_rules(pack.chats[0], result.record_view(), "How long is it?")
    assert "4 words" in answer.text
    assert answer.references
    assert not answer.uncited
    assert not answer.unsupported


async def test_what_a_person_is_asked_is_answered_or_told(pack: Any, note: Any) -> None:
    question = Question(key="who", text="Who wrote it?")

    async def ask(state: Any, run: RunContext) -> Any:
        answer = await run.ask(question)
        await run.report(f"by {answer}")
        return {}

    flow = replace(pack.flows[0], nodes=(ask,), edges=())
    request = await run_flow(pack, flow, note)
    assert request.question == question
    answered = await run_flow(pack, flow, note, answers={"who": "Ada"})
    assert answered.question is None
    assert answered.memory.reports == ["by Ada"]


async def test_a_node_changes_its_record_and_only_what_it_has(pack: Any, note: Any) -> None:
    values: dict[str, object] = {"title": "New"}

    async def change(state: Any, run: RunContext) -> Any:
        async with run.fenced() as session:
            await run.change(session, values)
        return {}

    flow = replace(pack.flows[0], nodes=(change,), edges=())
    result = await run_flow(pack, flow, note)
    assert result.memory.changes == {"title": "New"}
    values = {"colour": "red"}
    with pytest.raises(NotFound, match="colour"):
        await run_flow(pack, flow, note)


async def test_a_node_that_reads_tables_is_told_what_to_do(pack: Any, note: Any) -> None:
    async def read(state: Any, run: RunContext) -> Any:
        async with run.unit() as session:
            await session.execute("SELECT 1")  # pyright: ignore
        return {}

    flow = replace(pack.flows[0], nodes=(read,), edges=())
    with pytest.raises(NeedsDatabase, match="service"):
        await run_flow(pack, flow, note)


async def test_an_import_writes_to_tables_of_its_own(
    pack: Any, postgres: str, empty_database: str
) -> None:
    async with installation(pack, admin_url=empty_database) as installed:
        report = await installed.run_import("notes", FOLDER / "sample" / "notes.jsonl")
        assert (report.added, len(report.refused)) == (1, 0)
        with pytest.raises(NotFound, match="no import 'other'"):
            await installed.run_import("other", FOLDER / "sample" / "notes.jsonl")
