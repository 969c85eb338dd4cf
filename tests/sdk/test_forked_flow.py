"""The sample pack's forked flow: a branch for each paragraph, one dossier, progress in per cent."""

from __future__ import annotations

from typing import Any

import pytest

from whence.evidence import dossiers, sections
from whence.records import store
from whence.research import run_steps, runs

pytestmark = pytest.mark.anyio


async def test_each_paragraph_has_its_branch_and_all_are_concluded_from_once(
    platform: Any, worker: Any
) -> None:
    kind, owner = platform.kind("notes"), platform.owner
    async with platform.unit(owner) as session:
        note = kind.record(title="Three", text="one\n\ntwo words\n\nand three words")
        row = await store.create(session, owner, kind, note)
        submitted = await platform.ask(session, owner, kind, row.id, flow="depth")
    events: list[Any] = []
    async for batch in platform.bus.tail(owner.org_id, submitted.id):
        events += batch
        if batch[-1].type == "job_complete":
            break
    async with platform.unit(owner) as session:
        steps = await run_steps.steps(session, submitted.id)
        run = await runs.get(session, submitted.id)
        dossier = await dossiers.of_run(session, submitted.id)
    assert dossier.body == {"words": 6, "paragraphs": 3}
    assert [claim["verdict"] for claim in dossier.claims] == ["supported"]
    async with platform.unit(owner) as session:
        lane = dossiers.Lane("notes", row.id, "depth")
        parts = await sections.current(session, lane)
    assert [(p.name, p.version, p.body["words"]) for p in parts] == [
        ("paragraph-1", 1, 1),
        ("paragraph-2", 1, 2),
        ("paragraph-3", 1, 3),
    ]
    assert [c["verdict"] for p in parts for c in p.claims] == ["supported"] * 3
    measured = {s.branch: s.detail["counts"]["words"] for s in steps if s.node == "measure"}
    assert measured == {"Paragraph 1": 1, "Paragraph 2": 2, "Paragraph 3": 3}
    assert [s.node for s in steps].count("conclude") == 1
    payloads = [event.payload["progress"] for event in events if event.type == "node_complete"]
    assert payloads == sorted(payloads)
    assert (payloads[0], run.progress) == (10, 100)


async def test_one_paragraph_is_told_as_one(platform: Any, worker: Any) -> None:
    kind, owner = platform.kind("notes"), platform.owner
    async with platform.unit(owner) as session:
        row = await store.create(session, owner, kind, kind.record(title="One", text="two words"))
        submitted = await platform.ask(session, owner, kind, row.id, flow="depth")
    async for batch in platform.bus.tail(owner.org_id, submitted.id):
        if batch[-1].type == "job_complete":
            break
    async with platform.unit(owner) as session:
        dossier = await dossiers.of_run(session, submitted.id)
    assert dossier.summary == "The one paragraph has 2 words."
