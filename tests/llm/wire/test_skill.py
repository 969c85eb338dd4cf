"""What makes a skill, and how it runs when no model may be asked."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal

import pytest
from pydantic import BaseModel

from whence.kernel.errors import BudgetExceeded, StaleAttempt
from whence.llm import (
    BadPrompt,
    BadSkill,
    Budget,
    ImagePart,
    MemoryLog,
    Models,
    SkillRuntime,
    skill,
    use,
)
from whence.llm.clients import MAX_ANSWER_TOKENS

pytestmark = pytest.mark.anyio

PLENTY = Budget(calls=40, tokens=200_000, usd=Decimal(1), seconds=600)
GOOD = json.dumps({"brand": "Canon", "model": None, "confidence": 0.9})


class RecordView(BaseModel):
    title: str
    images: list[ImagePart] = []


class Named(BaseModel):
    brand: str


class Broken(Exception):
    pass


@skill(prompt="look_at_it.md")
async def name_it(view: RecordView) -> Named:
    """The first word."""
    if not view.title:
        raise Broken
    return Named(brand=view.title.split()[0])


async def test_with_nothing_installed_the_body_runs():
    result = await name_it.run(RecordView(title="Canon R6"))
    assert result.value == Named(brand="Canon")
    assert (result.outcome, result.method) == ("no_model", "rules:name_it@1")


async def test_with_no_model_configured_the_body_runs_and_no_call_is_logged():
    log = MemoryLog(PLENTY)
    with use(SkillRuntime(Models(), log)):
        result = await name_it.run(RecordView(title="Canon R6"))
    assert (result.outcome, log.calls) == ("no_model", [])


async def test_a_skill_keeps_the_name_and_words_of_its_body():
    assert (name_it.name, name_it.__doc__) == ("name_it", "The first word.")


async def test_over_budget_nothing_is_asked_and_the_run_is_told_to_end(wire, openai, running):
    runtime = running(openai, budget=Budget(1, 200_000, Decimal(1), 600))
    wire.script(openai.whole(GOOD), openai.whole(GOOD))
    assert (await name_it.run(RecordView(title="Canon R6"))).outcome == "ok"
    with pytest.raises(BudgetExceeded):
        await name_it.run(RecordView(title="Canon R6"))
    assert runtime.log.exhausted == "calls"
    assert len(wire.requests) == 1
    assert [(call.outcome, call.reason) for call in runtime.log.calls] == [
        ("ok", None),
        ("error", "budget"),
    ]
    assert runtime.log.calls[1].calls == 0


async def test_a_repair_that_does_not_fit_the_budget_is_not_asked_for(wire, openai, running):
    running(openai, budget=Budget(1, 200_000, Decimal(1), 600))
    wire.script(openai.whole("nonsense"), openai.whole(GOOD))
    with pytest.raises(BudgetExceeded):
        await name_it.run(RecordView(title="Canon R6"))
    assert len(wire.requests) == 1


async def test_a_wait_that_does_not_fit_the_budget_is_not_waited_for(wire, openai, running, fail):
    runtime = running(openai, budget=Budget(9, 200_000, Decimal(1), seconds=5))
    wire.script(fail(429, Retry_After="20"), openai.whole(GOOD))
    with pytest.raises(BudgetExceeded):
        await name_it.run(RecordView(title="Canon R6"))
    assert runtime.log.exhausted == "seconds"


async def test_the_longest_answer_that_may_come_must_fit_the_budget(wire, openai, running):
    runtime = running(openai, budget=Budget(9, MAX_ANSWER_TOKENS, Decimal(1), 600))
    with pytest.raises(BudgetExceeded):
        await name_it.run(RecordView(title="Canon R6"))
    assert (runtime.log.exhausted, wire.requests) == ("tokens", [])


async def test_a_try_that_failed_leaves_its_reservation_to_the_next(wire, openai, running, fail):
    runtime = running(openai, budget=Budget(9, MAX_ANSWER_TOKENS + 2_000, Decimal(1), 600))
    wire.script(fail(500), fail(500), openai.whole(GOOD))
    assert (await name_it.run(RecordView(title="Canon R6"))).outcome == "ok"
    assert (runtime.log.spent.calls, runtime.log.held.tokens) == (3, 0)


async def test_what_was_reserved_is_replaced_by_what_was_used(wire, openai, running):
    runtime = running(openai, budget=PLENTY)
    wire.script(openai.whole("nonsense"), openai.whole(GOOD))
    await name_it(RecordView(title="Canon R6"))
    assert (runtime.log.held.calls, runtime.log.held.tokens) == (0, 0)
    assert runtime.log.held.usd == 0
    assert (runtime.log.spent.calls, runtime.log.spent.tokens) == (2, 240)
    assert runtime.log.spent.usd == Decimal("0.000144"), "gpt-4.1-mini: 0.40 in, 1.60 out"


async def test_a_model_of_unknown_price_costs_an_unknown_sum_and_counts_by_tokens(
    wire, openai, running
):
    runtime = running(openai, budget=PLENTY, name="gpt-99-preview")
    wire.script(openai.whole(GOOD))
    await name_it(RecordView(title="Canon R6"))
    [call] = runtime.log.calls
    assert call.usd is None
    assert runtime.log.spent.tokens == 120


async def test_when_model_and_rules_both_fail_the_outcome_is_error(wire, openai, running, fail):
    runtime = running(openai)
    wire.script(fail(400))
    with pytest.raises(Broken):
        await name_it.run(RecordView(title=""))
    [call] = runtime.log.calls
    assert (call.outcome, call.reason) == ("error", "rejected")


async def test_what_stops_the_run_is_no_reason_to_fall_back(openai, running):
    class Superseded(MemoryLog):
        async def reserve(self, estimate):
            raise StaleAttempt

    runtime = running(openai)
    with use(SkillRuntime(runtime.models, Superseded())), pytest.raises(StaleAttempt):
        await name_it.run(RecordView(title="Canon R6"))


async def test_a_missing_prompt_is_named_with_or_without_a_model():
    @skill(prompt="nowhere.md")
    async def lost(view: RecordView) -> Named:
        return Named(brand=view.title)

    with pytest.raises(BadPrompt, match=r"nowhere\.md"):
        lost.check()
    with pytest.raises(BadPrompt):
        await lost.run(RecordView(title="x"))


async def test_a_body_that_is_not_async_is_no_skill():
    with pytest.raises(BadSkill):

        @skill(prompt="look_at_it.md")
        def hurried(view: RecordView) -> Named:
            return Named(brand=view.title)


async def test_a_body_without_models_for_input_and_output_is_no_skill():
    @skill(prompt="look_at_it.md")
    async def loose(text: str) -> Named:
        return Named(brand=text)

    with pytest.raises(BadSkill):
        loose.check()


async def test_importing_llm_loads_no_client():
    code = (
        "import sys, whence.llm;"
        "print([m for m in ('langchain', 'langchain_core', 'openai', 'anthropic', 'ollama',"
        " 'langsmith') if m in sys.modules])"
    )
    process = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert process.stdout.strip() == "[]"


async def test_an_answer_beyond_the_limit_counts_as_none_and_the_body_runs(wire, openai, running):
    runtime = running(openai)
    object.__setattr__(runtime.models.text.choice, "answer_characters", 5)
    wire.script(openai.whole(GOOD))
    result = await name_it.run(RecordView(title="Canon R6"))
    assert (result.outcome, runtime.log.calls[0].reason) == ("fallback", "truncated")
