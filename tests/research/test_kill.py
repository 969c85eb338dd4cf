"""Pulling the plug: kill -9 inside a node of the resale flow, and a new process continues."""

from __future__ import annotations

import asyncio
import json
import math
import signal
from collections import Counter
from typing import Any
from uuid import UUID

import pytest

from whence.app.platform import Platform
from whence.db.database import RECONNECT_SECONDS
from whence.evidence import dossiers, store
from whence.kernel.settings import Settings
from whence.records import store as records
from whence.research import runs
from whence.sdk.imports import ImportContext
from whence.work.sweeper import SWEEP_SECONDS

pytestmark = pytest.mark.anyio

LIMIT_SECONDS = 15.0
"""What the design promises between the kill and the next attempt."""
QUICK = {"WHENCE_HEARTBEAT_SECONDS": "0.5", "WHENCE_STALLED_SECONDS": "2"}


async def _sample_item(platform: Platform, name: str) -> UUID:
    pack = platform.pack_of("items")
    assert pack.sample is not None
    context = ImportContext(platform.owner, platform.db, platform.settings)
    for importer, file in pack.sample.imports:
        await platform.importer(f"resale.{importer}").run(context, pack.sample.folder / file)
    async with platform.unit(platform.owner) as session:
        return (await records.resolve(session, platform.kind("items"), name)).id


async def _ask(platform: Platform, item: UUID) -> UUID:
    async with platform.unit(platform.owner) as session:
        kind, flow = platform.kind("items"), platform.flow("items", None)
        submitted = await runs.request(session, platform.queue, platform.owner, kind, flow, item)
    return submitted.id


async def _result(platform: Platform, run_id: UUID) -> dict[str, Any]:
    """All that a run concluded; evidence stands in place of its id, and times are left out."""
    async with platform.unit(platform.owner) as session:
        dossier = await dossiers.of_run(session, run_id)
        bundle = await store.bundle(session, run_id)
    assert dossier is not None
    shown = {item.evidence.id: f"{item.evidence.title}: {item.evidence.content}" for item in bundle}
    result = {
        "summary": dossier.summary,
        "body": {key: value for key, value in dossier.body.items() if key != "asOf"},
        "claims": dossier.claims,
        "bundle": [vars(item.judgement) for item in bundle],
    }
    text = json.dumps(result, default=str)
    for evidence_id, words in shown.items():
        text = text.replace(str(evidence_id), json.dumps(words)[1:-1])
    return json.loads(text)


AGE_TOLERANCE = 1e-4
"""Relative difference that the seconds between two runs may make to figures that count age."""


def _differences(one: Any, other: Any, path: str = "") -> list[str]:
    """Where two results differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [d for key in one for d in _differences(one[key], other[key], f"{path}/{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [d for i, (a, b) in pairs for d in _differences(a, b, f"{path}/{i}")]
    if isinstance(one, float) and isinstance(other, float):
        close = math.isclose(one, other, rel_tol=AGE_TOLERANCE, abs_tol=AGE_TOLERANCE)
        return [] if close else [f"{path}: {one} != {other}"]
    return [] if one == other else [f"{path}: {one!r} != {other!r}"]


@pytest.mark.long
@pytest.mark.parametrize("when", ["before", "after"])
async def test_only_the_node_under_way_runs_again_and_the_dossier_is_the_same(
    platform: Platform, bench: Any, start_worker: Any, when: str
) -> None:
    item = await _sample_item(platform, "KT-014")
    run_id = await _ask(platform, item)
    doomed = start_worker("items", "analyze_comps", when, **QUICK)
    await doomed.stays()
    assert await doomed.end(signal.SIGKILL) == -signal.SIGKILL
    successor = start_worker("items", **QUICK)
    await bench.until(run_id)
    undisturbed = await _ask(platform, item)
    assert (await bench.until(undisturbed)).status == "success"
    await successor.end(signal.SIGTERM)

    run = await bench.run(run_id)
    assert (run.status, run.attempt, run.failures) == ("success", 2, 0)
    steps = await bench.steps(run_id)
    plain = Counter(step.node for step in await bench.steps(undisturbed))
    assert Counter(step.node for step in steps) - plain == {"analyze_comps": 1}
    assert [(s.node, s.attempt) for s in steps if s.status == "interrupted"] == [
        ("analyze_comps", 1)
    ]
    one, other = await _result(platform, run_id), await _result(platform, undisturbed)
    assert len(one["claims"]) > 3
    assert _differences(one, other) == []
    started = [e.payload for e in await bench.events(run_id) if e.type == "job_started"]
    assert [(p["attempt"], p["resumed"]) for p in started] == [(1, False), (2, True)]


def test_the_settings_as_shipped_keep_to_the_limit() -> None:
    """`python -m bench recovery` measures it; here the waits that make it up are added."""
    silence = Settings.model_fields["stalled_seconds"].default
    assert silence + SWEEP_SECONDS + RECONNECT_SECONDS <= LIMIT_SECONDS


@pytest.mark.long
async def test_with_the_settings_as_shipped_another_worker_goes_on(
    platform: Platform, bench: Any, start_worker: Any
) -> None:
    note = await bench.note()
    doomed, heir = start_worker("notes", "count", "after"), start_worker("notes")
    await heir.ready()
    await doomed.ready()
    flow = platform.flow("notes", None)
    # Only the doomed worker stays in the node: whichever takes a run, one of them is stuck soon.
    run_id = await bench.ask(flow, note)
    while not doomed.signal_file.exists():
        run_id = await bench.ask(flow, note)
        await asyncio.sleep(0.1)
    await doomed.end(signal.SIGKILL)
    run = await bench.until(run_id)
    assert (run.status, run.attempt) == ("success", 2)
