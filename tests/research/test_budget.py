"""A budget ends a run early, with what was found so far and a word about it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import text

from whence.kernel.errors import BudgetExceeded, Unavailable
from whence.llm.budget import Budget, CallRecord, Spend
from whence.work.ledger import Ledger

pytestmark = pytest.mark.anyio


def _call(tokens: int, reserved: Spend) -> CallRecord:
    return CallRecord(
        skill="name",
        model="a:b",
        prompt_version="1",
        outcome="ok",
        reason=None,
        detail=None,
        calls=1,
        tokens_in=tokens,
        tokens_out=0,
        exact=True,
        usd=Decimal("0.001"),
        latency_ms=3,
        reserved=reserved,
    )


async def spend(state: Any, run: Any) -> dict[str, Any]:
    """Two calls of a model, as the skills bill them."""
    budget = Budget(calls=1, tokens=10_000, usd=Decimal(1), seconds=60)
    ledger = Ledger(run.attempt, run.node, budget)
    for _ in range(2):
        held = Spend(calls=1, tokens=500, usd=Decimal("0.01"))
        await ledger.reserve(held)
        await ledger.record(_call(40, held))
    return {"trail": ["never"]}


async def gather(state: Any, run: Any) -> dict[str, Any]:
    return {"trail": ["gathered"]}


def partial_to(saved: list[Any]) -> Any:
    async def persist_partial(state: Any, run: Any) -> dict[str, Any]:
        saved.append(dict(state))
        return {}

    return persist_partial


async def test_too_many_calls_end_the_run_with_a_partial_result(bench: Any) -> None:
    saved: list[Any] = []
    flow = bench.flow(gather, spend, partial=partial_to(saved))
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert run.status == "success"
    assert run.notice.startswith("The budget of calls is used up.")
    assert [state["trail"] for state in saved] == [["gathered"]]
    assert "calls" in saved[0]["budget"]
    assert [step.node for step in await bench.steps(run_id)] == [
        "gather",
        "spend",
        "persist_partial",
    ]
    assert (run.spent_calls, run.spent_tokens) == (1, 40)
    assert run.spent_usd == pytest.approx(0.001)


async def test_too_many_seconds_end_the_run_with_a_partial_result(bench: Any) -> None:
    async def slow(state: Any, run: Any) -> dict[str, Any]:
        await asyncio.sleep(0.1)
        return {"trail": ["slow"]}

    async def slower(state: Any, run: Any) -> dict[str, Any]:
        await asyncio.sleep(60)
        return {"trail": ["never"]}

    saved: list[Any] = []
    flow = bench.flow(slow, slower, partial=partial_to(saved))
    run_id = await bench.ask(flow)
    async with bench.working(flow, budget_seconds=2):
        run = await bench.until(run_id)
    assert run.status == "success"
    assert run.notice.startswith("The run has worked for 2 seconds.")
    assert [state["trail"] for state in saved] == [["slow"]]
    assert 2 <= run.spent_seconds < 30


async def test_a_node_beside_the_one_that_spent_too_much_is_not_left_running(bench: Any) -> None:
    async def begin(state: Any, run: Any) -> dict[str, Any]:
        return {}

    async def beside(state: Any, run: Any) -> dict[str, Any]:
        await asyncio.sleep(60)
        return {}

    async def too_much(state: Any, run: Any) -> dict[str, Any]:
        await asyncio.sleep(0.3)
        raise BudgetExceeded

    flow = replace(
        bench.flow(begin, beside, too_much, partial=partial_to([])),
        edges=(("begin", "beside"), ("begin", "too_much")),
    )
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert run.status == "success"
    statuses = {step.node: step.status for step in await bench.steps(run_id)}
    assert (statuses["beside"], statuses["too_much"]) == ("interrupted", "error")


async def test_without_a_partial_node_a_used_up_budget_is_an_error(bench: Any) -> None:
    flow = bench.flow(gather, spend)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.status, run.error["type"]) == ("error", "BudgetExceeded")


async def test_the_log_keeps_a_model_s_own_words_as_far_as_they_can_be_stored(bench: Any) -> None:
    budget = Budget(calls=2, tokens=10_000, usd=Decimal(1), seconds=60)

    async def fail(state: Any, run: Any) -> dict[str, Any]:
        failed = replace(_call(40, Spend()), outcome="fallback", detail="a\x00b \ud83d")
        await Ledger(run.attempt, run.node, budget).record(failed)
        return {}

    run_id = await bench.ask(flow := bench.flow(fail))
    async with bench.working(flow):
        assert (await bench.until(run_id)).status == "success"
    async with bench.platform.unit(bench.platform.owner) as session:
        details = await session.scalars(text("SELECT detail FROM whence.model_calls"))
    assert list(details) == ["ab ?"]


async def test_what_was_spent_survives_a_pause(bench: Any) -> None:
    budget = Budget(calls=2, tokens=10_000, usd=Decimal(1), seconds=60)
    refused: list[int] = []

    async def spend_and_fail(state: Any, run: Any) -> dict[str, Any]:
        ledger = Ledger(run.attempt, run.node, budget)
        try:
            await ledger.reserve(Spend(calls=1, tokens=10))
        except BudgetExceeded:
            refused.append(run.attempt.number)
            return {}
        raise Unavailable("away", retry_after=0.1)

    flow = bench.flow(spend_and_fail)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.spent_calls, run.spent_tokens, refused) == (2, 20, [3])
