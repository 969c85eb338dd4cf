"""Each limit of a budget ends a run early, with a partial dossier that says what was not done."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from pydantic import BaseModel

from llm.conftest import open_clients
from whence.evidence import dossiers
from whence.evidence.records import DossierDraft
from whence.llm import skill
from whence.research import execution
from whence.research.run_steps import undone
from whence.research.tables import RunStep
from whence.work import transitions

pytestmark = pytest.mark.anyio
MODEL = "openai:gpt-4.1-mini"


class RecordView(BaseModel):
    text: str


class Word(BaseModel):
    word: str


@skill(prompt="word.md")
async def first_word(view: RecordView) -> Word:
    """The first word."""
    return Word(word=view.text.split()[0])


async def gather(state: Any, run: Any) -> dict[str, Any]:
    return {"trail": ["gathered"]}


async def name(state: Any, run: Any) -> dict[str, Any]:
    outcome = await first_word.run(RecordView(text="four words stand here"))
    return {"trail": [*state["trail"], outcome.outcome]}


async def weigh(state: Any, run: Any) -> dict[str, Any]:
    outcome = await first_word.run(RecordView(text="four words stand here"))
    return {"trail": [*state["trail"], outcome.outcome]}


async def save(state: Any, run: Any) -> dict[str, Any]:
    async with run.fenced() as session:
        await run.save(session, DossierDraft(1, "found", {"trail": state["trail"]}, ()))
    return {}


async def save_partial(state: Any, run: Any) -> dict[str, Any]:
    return await save(state, run)


def says(word: str, tokens: int = 120) -> dict[str, Any]:
    """An answer in OpenAI's wire format."""
    message = {"role": "assistant", "content": json.dumps({"word": word}), "refusal": None}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "gpt-4.1-mini",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": {"prompt_tokens": 20, "completion_tokens": tokens, "total_tokens": 20 + tokens},
    }


class Budgeted:
    """Research of a note with a model, under a budget; what it left."""

    def __init__(self, bench: Any, outside: Any) -> None:
        self.bench, self.outside = bench, outside
        outside.answers = [says("four")]

    async def run(self, *nodes: Any, partial: Any = save_partial, **budget: Any) -> Any:
        flow = self.bench.flow(*(nodes or (gather, name, weigh, save)), partial=partial)
        run_id = await self.bench.ask(flow)
        settings = {"model": MODEL, "model_base_url": f"{self.outside.base}/v1"} | budget
        async with self.bench.working(flow, **settings):
            return await self.bench.until(run_id)

    async def dossier(self, run: Any) -> Any:
        async with self.bench.platform.unit(self.bench.platform.owner) as session:
            return await dossiers.of_run(session, run.id)


@pytest.fixture
def research(bench: Any, outside: Any, monkeypatch: pytest.MonkeyPatch) -> Budgeted:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-key-123456")
    return Budgeted(bench, outside)


@pytest.mark.parametrize(
    ("limit", "budget"),
    [
        ("calls", {"budget_calls": 1}),
        ("tokens", {"budget_tokens": 8_400}),
        ("usd", {"budget_usd": 0.0133}),
    ],
)
async def test_a_used_up_limit_ends_the_run_and_names_what_was_not_done(
    research: Budgeted, limit: str, budget: dict[str, Any]
) -> None:
    run = await research.run(**budget)
    assert run.status == "success"
    assert run.notice.startswith(f"The budget of {limit} is used up.")
    assert len(research.outside.asked_at) == 1
    dossier = await research.dossier(run)
    assert dossier.is_partial
    assert dossier.body == {"trail": ["gathered", "ok"]}
    assert dossier.not_done == [f"The budget of {limit} is used up.", "weigh was not done"]
    assert run.result["partial"] is True


async def test_a_worker_that_ends_leaves_no_client_of_its_models(
    research: Budgeted,
) -> None:
    before = open_clients()
    assert (await research.run()).spent_calls > 0
    assert not open_clients() - before


async def test_no_limit_is_exceeded_by_the_longest_answer(research: Budgeted) -> None:
    research.outside.answers = [says("four", tokens=8_192)]
    run = await research.run(budget_tokens=16_700)
    assert len(research.outside.asked_at) == 2
    assert run.spent_tokens <= 16_700
    run = await research.run(budget_tokens=16_400)
    assert len(research.outside.asked_at) == 3
    assert run.spent_tokens <= 16_400


async def test_a_budget_without_calls_means_rules_and_no_early_end(
    research: Budgeted,
) -> None:
    run = await research.run(budget_calls=0)
    dossier = await research.dossier(run)
    assert (dossier.is_partial, dossier.not_done, run.notice) == (False, [], None)
    assert dossier.body == {"trail": ["gathered", "no_model", "no_model"]}
    assert research.outside.asked_at == []


async def test_a_model_of_unknown_price_is_told_and_not_silently_unlimited(
    research: Budgeted,
) -> None:
    run = await research.run(model="openai:gpt-99-preview", budget_usd=0.000001)
    assert run.status == "success"
    assert "The price of the model is not known" in run.notice
    told_of = [e for e in await research.bench.events(run.id) if e.type == "job_notice"]
    assert len(told_of) == 1
    assert [words for words in (await research.dossier(run)).notices if "price" in words]


async def test_a_node_that_hangs_is_ended_by_the_seconds_of_the_budget(
    research: Budgeted,
) -> None:
    async def hang(state: Any, run: Any) -> dict[str, Any]:
        await asyncio.sleep(600)
        return {}

    run = await research.run(gather, hang, save, budget_seconds=1.0)
    dossier = await research.dossier(run)
    assert dossier.not_done == ["The run has worked for 1 seconds.", "hang was not done"]
    assert [step.status for step in await research.bench.steps(run.id)] == [
        "success",
        "error",
        "success",
    ]


async def test_a_node_s_own_timeout_is_not_taken_for_the_budget(
    research: Budgeted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transitions, "FIRST_PAUSE_SECONDS", 0.05)
    late = [True]

    async def impatient(state: Any, run: Any) -> dict[str, Any]:
        async with asyncio.timeout(0.05):
            await asyncio.sleep(10 if late.pop() else 0)
        return {"trail": ["in time"]}

    late.insert(0, False)
    run = await research.run(gather, impatient, save, budget_seconds=30.0)
    assert (run.attempt, (await research.dossier(run)).is_partial) == (2, False)


async def test_a_partial_dossier_that_cannot_be_written_ends_the_run_too(
    research: Budgeted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution, "PARTIAL_SECONDS", 0.3)

    async def hang(state: Any, run: Any) -> dict[str, Any]:
        await asyncio.sleep(600)
        return {}

    run = await research.run(budget_calls=1, partial=hang)
    assert (run.status, run.error["type"]) == ("error", "BudgetExceeded")


async def test_what_an_interrupted_node_worked_counts(research: Budgeted) -> None:
    async def slow(state: Any, run: Any) -> dict[str, Any]:
        await asyncio.sleep(60)
        return {}

    flow = research.bench.flow(slow)
    run_id = await research.bench.ask(flow)
    async with research.bench.working(flow):
        while not await research.bench.steps(run_id):
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.5)
        run = await research.bench.cancel(run_id)
    assert run.spent_seconds >= 0.5


async def test_what_is_undone_leaves_out_what_was_never_needed(bench: Any) -> None:
    def step(node: str, status: str) -> RunStep:
        return RunStep(node=node, status=status)

    flow = bench.flow(gather, name, weigh, save)
    assert undone(flow.shape, []) == ("gather", "name", "weigh")
    assert undone(flow.shape, [step("gather", "success"), step("name", "error")]) == (
        "name",
        "weigh",
    )
    again = [step("gather", "success"), step("name", "success"), step("name", "interrupted")]
    assert undone(flow.shape, again) == ("name", "weigh")
    assert "save" in undone(flow.shape, [step("save", "error")])
