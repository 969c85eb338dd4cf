"""A worker whose run was taken over can write nothing any more, wherever it tries."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from typing import Any

import psycopg
import pytest
from langgraph.checkpoint.base import empty_checkpoint
from pydantic import BaseModel

from chat.waiting import until_it_waits
from whence.db.held import NestedFence
from whence.events import log
from whence.events.types import Progress
from whence.evidence import store as evidence
from whence.evidence.records import Cite, ClaimDraft, DossierDraft, Finding, Judgement
from whence.kernel.errors import StaleAttempt, Unavailable
from whence.llm.budget import Budget, CallRecord, Spend
from whence.research import resuming, transitions
from whence.research.attempt import Attempt, claim
from whence.research.checkpoints import FencedSaver, checkpoint_pool
from whence.research.context import RunContext
from whence.research.flow import Flow
from whence.research.questions import Question
from whence.research.steps import Turn, step
from whence.tenancy.principal import Scope
from whence.tools.registry import ToolRegistry
from whence.tools.tool import ToolContext, tool
from whence.work import transitions as work_transitions
from whence.work.ledger import Ledger

pytestmark = pytest.mark.anyio

FINDING = Finding("web", "1", "Found", "a sentence", {})
SPEND = Spend(calls=1, tokens=5, usd=Decimal("0.1"))
CALL = CallRecord(
    skill="s",
    model="a:b",
    prompt_version="1",
    outcome="ok",
    reason=None,
    detail=None,
    calls=1,
    tokens_in=1,
    tokens_out=1,
    exact=True,
    usd=Decimal("0.1"),
    latency_ms=1,
    reserved=SPEND,
)


class Words(BaseModel):
    words: str = "x"


@tool(Scope.WRITE)
async def write_a_note(arguments: Words, context: ToolContext) -> Words:
    """Write a note."""
    async with context.unit() as session:
        driver = await session.connection()
        await driver.exec_driver_sql("UPDATE sample_pack.notes SET title = 'stale'")
    return arguments


@tool(Scope.READ)
async def read_a_note(arguments: Words, context: ToolContext) -> Words:
    """Read a note."""
    return arguments


@dataclass(frozen=True)
class Worker:
    """What one attempt at the run writes with."""

    attempt: Attempt
    context: RunContext
    saver: FencedSaver
    evidence_id: Any
    queue: Any

    async def write(self, what: str) -> None:
        await getattr(self, f"_{what}")()

    async def _checkpoint(self) -> None:
        await self.saver.aput(self.saver.config, empty_checkpoint(), {}, {})

    async def _checkpoint_writes(self) -> None:
        config = {"configurable": {**self.saver.config["configurable"], "checkpoint_id": "1"}}
        await self.saver.aput_writes(config, [("trail", ["stale"])], "task")

    async def _checkpoint_removal(self) -> None:
        await self.saver.forget()

    async def _event(self) -> None:
        async with self.attempt.fenced() as session:
            await log.append(session, self.attempt.run_id, Progress(node="n", message="stale"))

    async def _progress(self) -> None:
        await self.context.report("stale")

    async def _step(self) -> None:
        async def body() -> dict[str, Any]:
            return {}

        await step(self.attempt, Turn("stale", 1, on_ended=self.saver.follows), body)

    async def _evidence(self) -> None:
        await self.context.keep([replace(FINDING, source_id="stale")])

    async def _judgement(self) -> None:
        await self.context.judge([Judgement(self.evidence_id, "web", False, "stale")])

    async def _dossier(self) -> None:
        claim = ClaimDraft("p", "s", 1, 1.0, "rules:x@1", (Cite(self.evidence_id),))
        async with self.attempt.fenced() as session:
            await self.context.save(session, DossierDraft(1, "stale", {}, (claim,)))

    async def _reservation(self) -> None:
        await self._ledger().reserve(SPEND)

    async def _model_call(self) -> None:
        await self._ledger().record(CALL)

    async def _tool_that_writes(self) -> None:
        await self.context.call("write_a_note", {})

    async def _tool_call_log(self) -> None:
        await self.context.call("read_a_note", {})

    async def _success(self) -> None:
        await transitions.succeed(self.attempt, self.context.subject_kind)

    async def _question(self) -> None:
        await transitions.ask(self.attempt, Question(key="stale", text="Stale?"))

    async def _failure(self) -> None:
        await work_transitions.fail(self.attempt, ValueError("stale"))

    async def _pause(self) -> None:
        give_up = partial(work_transitions.fail, self.attempt)
        await work_transitions.pause(self.attempt, self.queue, Unavailable("stale"), give_up)

    async def _handing_back(self) -> None:
        await work_transitions.hand_back(self.attempt, self.queue)

    async def _notice(self) -> None:
        await transitions.not_resumable(self.attempt)

    async def _restart(self) -> None:
        newer = Flow("research", "9", "notes", dict, (write_nothing,), ())
        await resuming.can_resume(self.attempt, newer, self.saver)

    def _ledger(self) -> Ledger:
        budget = Budget(calls=9, tokens=900, usd=Decimal(9), seconds=9)
        return Ledger(self.attempt, "n", budget)


WRITES = [name[1:] for name in vars(Worker) if name.startswith("_") and name[1].isalpha()]
WRITES.remove("ledger")
ENDINGS = {"success", "failure", "pause", "question", "handing_back"}
PROGRESS = [name for name in WRITES if name not in ENDINGS]


@pytest.fixture
async def first(bench: Any) -> AsyncGenerator[Worker]:
    """The worker that has the run, with one piece of evidence in its bundle."""
    platform = bench.platform
    run_id = await bench.ask(bench.flow(write_nothing))
    attempt = await claim(platform.db, platform.owner.org_id, run_id, platform.kinds)
    assert attempt is not None
    pool = checkpoint_pool(platform.db.conninfo, 1)
    await pool.open()
    context = RunContext(
        attempt=attempt,
        node="n",
        subject_kind=platform.kind("notes"),
        tools=ToolRegistry([write_a_note, read_a_note]),
        services=platform.services,
        recomputations={},
    )
    [evidence_id] = await context.keep([FINDING])
    await context.judge([Judgement(evidence_id, "web", True, "found")])

    async def lost() -> None:
        raise AssertionError("a stale write is no lost checkpoint")

    saver = FencedSaver(pool, attempt, lost)
    yield Worker(attempt, context, saver, evidence_id, platform.queue)
    await pool.close()


async def write_nothing(state: Any, run: Any) -> dict[str, Any]:
    return {}


def _everything(database_url: str) -> dict[str, list[Any]]:
    """Every row of every table that a run writes to."""
    with psycopg.connect(database_url) as connection:
        tables = connection.execute(
            "SELECT schemaname || '.' || tablename FROM pg_tables"
            " WHERE schemaname IN ('whence', 'jobs', 'checkpoints', 'sample_pack') ORDER BY 1"
        ).fetchall()
        return {
            name: connection.execute(f"SELECT t::text FROM {name} t ORDER BY 1").fetchall()
            for (name,) in tables
        }


async def test_a_stale_attempt_is_refused_wherever_it_writes(
    first: Worker, bench: Any, database_url: str
) -> None:
    before = _everything(database_url)
    org, run_id = bench.platform.owner.org_id, first.attempt.run_id
    successor = await claim(first.attempt.db, org, run_id, bench.platform.kinds)
    assert successor is not None
    assert successor.number == first.attempt.number + 1
    after = _everything(database_url)
    assert before != after
    accepted: list[str] = []
    for what in WRITES:
        with contextlib.suppress(StaleAttempt):
            await first.write(what)
            accepted.append(what)
        assert _everything(database_url) == after, what
    assert accepted == []


async def test_the_attempt_that_has_the_run_may_write(first: Worker, database_url: str) -> None:
    assert len(WRITES) == len(PROGRESS) + len(ENDINGS)
    for what in [*PROGRESS, "success"]:
        before = _everything(database_url)
        await first.write(what)
        assert (_everything(database_url) != before) or what == "checkpoint_removal", what


@pytest.mark.parametrize("what", ["failure", "pause", "question", "handing_back"])
async def test_the_attempt_that_has_the_run_may_end_it(
    what: str, first: Worker, bench: Any
) -> None:
    await first.write(what)
    assert (await bench.run(first.attempt.run_id)).status != "running"


@pytest.mark.parametrize("what", ["event", "evidence", "checkpoint", "step"])
async def test_a_cancelled_run_refuses_its_worker_too(what: str, first: Worker, bench: Any) -> None:
    await bench.cancel(first.attempt.run_id)
    with pytest.raises(StaleAttempt):
        await first.write(what)


async def test_a_takeover_waits_for_a_write_under_way(
    first: Worker, bench: Any, looker: psycopg.Connection[Any]
) -> None:
    """What the old attempt wrote before is whole, and nothing of it comes after."""
    org = bench.platform.owner.org_id
    async with first.attempt.fenced() as session:
        await evidence.keep(session, [replace(FINDING, source_id="whole")])
        takeover = asyncio.create_task(claim(first.attempt.db, org, first.attempt.run_id, {}))
        await until_it_waits(looker, takeover)
        assert not takeover.done()
    assert (await asyncio.wait_for(takeover, 60)).number == first.attempt.number + 1


async def test_a_transaction_inside_another_of_the_same_run_is_a_clear_error(
    first: Worker,
) -> None:
    async with first.attempt.fenced():
        with pytest.raises(NestedFence, match="inside another one of the same run"):
            await first.context.report("I would wait for myself")
    await first.context.report("and afterwards all is well")
