"""Types of run: what each leaves out, what it is asked for with, and what its dossier replaces."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from whence.app import build
from whence.app.platform import Platform
from whence.evidence import dossiers
from whence.kernel.errors import Invalid
from whence.kernel.wire import Wire
from whence.records import store
from whence.research import run_steps, runs
from whence.research.earlier import NothingToBuildOn
from whence.research.flow import Flow
from whence.research.run_type import OtherResearchUnderWay, RunType
from whence.research.runs import WantedRun
from whence.research.steps import ProgressMeter
from whence.research.tables import RunStep
from whence.work.tables import FINISHED

pytestmark = pytest.mark.anyio


@pytest.fixture
async def note(platform: Platform) -> UUID:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        record = kind.record.model_validate({"title": "A", "text": "one three"})
        return (await store.create(session, platform.owner, kind, record)).id


async def ask(platform: Platform, note: UUID, *wanted: Any) -> UUID:
    who = platform.owner
    async with platform.unit(who) as session:
        submitted = await platform.ask(
            session, who, platform.kind("notes"), note, flow="glance", wanted=WantedRun(*wanted)
        )
    return submitted.id


async def until_over(platform: Platform, run_id: UUID) -> runs.Run:
    async with asyncio.timeout(60):
        while True:
            async with platform.unit(platform.owner) as session:
                run = await runs.get(session, run_id)
            if run.status in FINISHED:
                return run
            await asyncio.sleep(0.05)


async def current(platform: Platform, note: UUID) -> dossiers.Dossier:
    async with platform.unit(platform.owner) as session:
        current_dossier = await dossiers.current(session, dossiers.Lane("notes", note, "glance"))
    assert current_dossier
    return current_dossier


async def test_a_run_leaves_out_what_its_type_skips_and_shows_it(
    platform: Platform, note: UUID, worker: object
) -> None:
    run_id = await ask(platform, note, "refresh", {"title": "B"})
    run = await until_over(platform, run_id)
    assert (run.status, run.run_type, run.parameters) == ("success", "refresh", {"title": "B"})
    async with platform.unit(platform.owner) as session:
        steps = await run_steps.steps(session, run_id)
    assert [(step.node, step.status) for step in steps] == [
        ("look", "success"),
        ("examine", "skipped"),
        ("tell", "success"),
    ]
    events = text("SELECT payload->>'status' FROM whence.events WHERE type = 'node_complete'")
    async with platform.unit(platform.owner) as session:
        assert [*await session.scalars(events)] == ["success", "skipped", "success"]
    dossier = await current(platform, note)
    assert dossier.body == {"words": 2, "longest": None, "title": "B"}
    assert (dossier.run_type, dossier.parameters) == ("refresh", {"title": "B"})


async def test_a_dossier_that_tells_a_part_does_not_retire_a_whole_one(
    platform: Platform, note: UUID, worker: object
) -> None:
    lane = dossiers.Lane("notes", note, "glance")
    for wanted, shown in (
        ("refresh", "refresh"),  # better than none
        ("initial_intake", "initial_intake"),
        ("refresh", "initial_intake"),
        ("initial_intake", "initial_intake"),
    ):
        run = await until_over(platform, await ask(platform, note, wanted))
        assert run.status == "success"
        dossier = await current(platform, note)
        assert dossier.run_type == shown
        assert (dossier.run_id == run.id) == (wanted == shown)
    async with platform.unit(platform.owner) as session:
        history = await dossiers.history(session, lane, None, 10)
    assert [each.is_current for each in history] == [True, False, False, False]


async def test_the_first_type_is_that_of_a_request_which_names_none(
    platform: Platform, note: UUID
) -> None:
    async with platform.unit(platform.owner) as session:
        run = await runs.get(session, await ask(platform, note))
    assert (run.run_type, run.parameters) == ("initial_intake", {})


async def test_runs_with_other_parameters_go_on_beside_one_another_where_the_type_allows_it(
    platform: Platform, note: UUID
) -> None:
    first = await ask(platform, note, "refresh", {"title": "B"})
    assert await ask(platform, note, "refresh", {"title": "C"}) != first
    assert await ask(platform, note, "refresh", {"title": "B"}) == first
    whole = await ask(platform, note, "initial_intake")
    assert whole != first
    assert await ask(platform, note) == whole
    async with build.worker(platform):
        for run_id in (first, whole):
            assert (await until_over(platform, run_id)).status == "success"


async def test_a_request_for_something_else_does_not_join_what_is_under_way(
    platform: Platform, note: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    flow = platform.flow("notes", "glance")
    types = (flow.types[0], RunType("again", "Again", parameters=flow.types[1].parameters))
    monkeypatch.setattr(Flow, "run_type", lambda self, name: types[name == "again"])
    first = await ask(platform, note, "again", {"title": "B"})
    assert await ask(platform, note) == first  # whatever is under way will do
    assert await ask(platform, note, "again", {"title": "B"}) == first
    for other in (("again", {"title": "C"}), ("initial_intake", {})):
        with pytest.raises(OtherResearchUnderWay):
            await ask(platform, note, *other)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (
            ("pricing", {}),
            "no type 'pricing' of notes/glance; the types are initial_intake, refresh",
        ),
        (("refresh", {"titel": "x"}), "parameters.titel: there is no such field; there are title"),
        (("initial_intake", {"title": "x"}), "parameters.title: there is no such field"),
        (("refresh", {"title": "x" * 101}), "parameters.title: .*at most 100"),
    ],
)
async def test_what_a_type_does_not_take_is_refused(
    platform: Platform, note: UUID, wanted: Any, words: str
) -> None:
    with pytest.raises(Invalid, match=words):
        await ask(platform, note, *wanted)


async def test_a_type_that_the_flow_no_longer_offers_does_every_node(
    platform: Platform, note: UUID, worker: object
) -> None:
    async with platform.unit(platform.owner) as session:
        who, kind = platform.owner, platform.kind("notes")
        submitted = await platform.ask(
            session, who, kind, note, flow="glance", wanted=WantedRun("refresh")
        )
        gone = text("UPDATE whence.runs SET run_type = 'gone', parameters = '{\"x\": 1}'")
        await session.execute(gone)
    assert (await until_over(platform, submitted.id)).status == "success"
    assert (await current(platform, note)).body["longest"] == "three"


class Required(Wire):
    number: int


@pytest.mark.parametrize(
    ("types", "words"),
    [
        ((), "different names"),
        ((RunType("a", "A"), RunType("a", "B")), "different names"),
        ((RunType("a", "A", skips=("nowhere",)),), "skips .*nowhere"),
        ((RunType("a", "A", parameters=Required),), "every parameter of 'a' needs a default"),
    ],
)
def test_types_that_cannot_be_are_refused_where_they_are_declared(
    types: tuple[RunType, ...], words: str
) -> None:
    async def only(state: Any, run: Any) -> dict[str, Any]:
        return {}

    with pytest.raises(ValueError, match=words):
        Flow("f", "1", "notes", dict, (only,), (), types=types)


async def test_a_type_that_builds_on_earlier_research_is_refused_without_any(
    platform: Platform, note: UUID, worker: object
) -> None:
    with pytest.raises(NothingToBuildOn, match=r"'reword' builds on .*request 'initial_intake'"):
        await ask(platform, note, "reword")
    await until_over(platform, await ask(platform, note, "refresh"))
    with pytest.raises(NothingToBuildOn):  # a dossier that covers a part is nothing to build on
        await ask(platform, note, "reword")


async def test_it_takes_over_what_the_last_whole_dossier_concluded(
    platform: Platform, note: UUID, worker: object
) -> None:
    await until_over(platform, await ask(platform, note, "initial_intake"))
    async with platform.unit(platform.owner) as session:
        values = {"text": "two extraordinary words here"}
        await store.patch(session, platform.owner, platform.kind("notes"), note, values, None)
    run = await until_over(platform, await ask(platform, note, "reword"))
    assert run.status == "success"
    assert (await current(platform, note)).body == {
        "words": 4,
        "longest": "three",
        "title": "A refresh",
    }


def test_a_run_that_continues_counts_what_it_left_out_as_done() -> None:
    steps = [RunStep(node=name, place=n, status="skipped") for n, name in enumerate("ab")]
    assert ProgressMeter(dict.fromkeys("abcd", 1.0), steps).percent == 50
