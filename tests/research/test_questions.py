"""A run asks a person, waits without a worker, and continues once somebody has answered."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from sqlalchemy import text

from whence.kernel.errors import Conflict, Invalid
from whence.research.attempt import claim
from whence.research.questions import Question, accepted, fits
from whence.tenancy import tokens

COLOUR = Question(key="colour", text="Which colour is it?", why="Prices differ by colour.")
SIZE = Question(key="size", text="How large is it?", kind="number")
CASE = Question(
    key="case", text="Is the case there?", kind="choice", choices=("yes", "no"), required=False
)


class World:
    """A flow of two nodes, of which the second asks; what it was told, and how often each ran."""

    def __init__(self, *questions: Question) -> None:
        self.questions = questions
        self.answers: list[list[Any]] = []
        self.gathered = 0

    def flow(self, bench: Any) -> Any:
        async def gather(state: Any, run: Any) -> dict[str, Any]:
            self.gathered += 1
            return {"trail": ["gathered"]}

        async def ask(state: Any, run: Any) -> dict[str, Any]:
            assert state["trail"] == ["gathered"]
            self.answers.append([await run.ask(question) for question in self.questions])
            return {}

        return bench.flow(gather, ask)


@pytest.fixture
async def client(bench: Any, serve: str) -> AsyncIterator[httpx.AsyncClient]:
    token = await tokens.issue(bench.platform.db, bench.platform.owner, "test")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=30) as made:
        yield made


def _job(run: Any) -> str:
    return f"/api/notes/{run.subject_id}/research/jobs/{run.id}"


async def _jobs_queued(bench: Any) -> int:
    async with bench.platform.unit(bench.platform.owner) as session:
        return await session.scalar(text("SELECT count(*) FROM jobs.procrastinate_jobs"))


@pytest.mark.anyio
async def test_a_question_ends_the_attempt_and_shows_on_the_job(
    bench: Any, client: httpx.AsyncClient
) -> None:
    flow = World(COLOUR).flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id, "paused")
    assert (run.resume_at, run.notice, run.failures) == (None, "Research waits for your answer", 0)
    assert await _jobs_queued(bench) == 0
    job = (await client.get(_job(run))).json()
    assert job["question"] == {
        "key": "colour",
        "text": "Which colour is it?",
        "why": "Prices differ by colour.",
        "kind": "text",
        "choices": [],
        "required": True,
    }
    paused = (await bench.events(run_id))[-1]
    assert (paused.type, paused.payload["resumeAt"]) == ("job_paused", None)
    assert paused.payload["question"] == job["question"]
    assert [step["status"] for step in job["stepHistory"]] == ["success", "paused"]


@pytest.mark.anyio
async def test_a_question_in_words_that_cannot_be_stored_is_asked_all_the_same(bench: Any) -> None:
    broken = COLOUR.model_copy(update={"why": "half \ud83d and \x00 nothing"})
    flow = World(broken).flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id, "paused", "error")
    assert (run.status, run.question["why"]) == ("paused", "half ? and  nothing")


@pytest.mark.anyio
async def test_an_answer_lets_the_node_run_again_with_it(
    bench: Any, client: httpx.AsyncClient
) -> None:
    world = World(COLOUR, SIZE)
    flow = world.flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id, "paused")
        answered = await client.post(f"{_job(run)}/answer", json={"answer": " black "})
        assert (answered.status_code, answered.json()["question"]) == (200, None)
        assert (await bench.until(run_id, "paused")).question["key"] == "size"
        await client.post(f"{_job(run)}/answer", json={"key": "size", "answer": 12.5})
        run = await bench.until(run_id)
    assert (run.status, run.attempt, world.gathered) == ("success", 3, 1)
    assert world.answers == [["black", 12.5]]


@pytest.mark.anyio
async def test_an_answer_that_does_not_fit_is_refused_in_words(
    bench: Any, client: httpx.AsyncClient
) -> None:
    flow = World(CASE).flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id, "paused")
    for wrong in ("perhaps", 3, True, [], {}):
        refused = await client.post(f"{_job(run)}/answer", json={"answer": wrong})
        assert (refused.status_code, refused.json()["type"]) == (422, "/problems/invalid"), wrong
    refused = await client.post(f"{_job(run)}/answer", json={"answer": "perhaps"})
    assert refused.json()["errors"] == [{"field": "answer", "message": "choose one of yes, no"}]
    assert (await bench.run(run_id)).status == "paused"


@pytest.mark.anyio
async def test_the_same_answer_twice_is_one_next_attempt_and_another_is_refused(
    bench: Any, client: httpx.AsyncClient
) -> None:
    world = World(COLOUR)
    flow = world.flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id, "paused")
    for _ in range(3):
        again = await client.post(f"{_job(run)}/answer", json={"key": "colour", "answer": "black"})
        assert (again.status_code, again.json()["status"]) == (200, "pending")
    assert await _jobs_queued(bench) == 1
    other = await client.post(f"{_job(run)}/answer", json={"answer": "white"})
    assert (other.status_code, other.json()["type"]) == (409, "/problems/conflict")
    assert "black" in other.json()["detail"]
    async with bench.working(flow):
        run = await bench.until(run_id)
    again = await client.post(f"{_job(run)}/answer", json={"key": "colour", "answer": "black"})
    assert (again.status_code, run.attempt, world.answers) == (200, 2, [["black"]])
    unknown = await client.post(f"{_job(run)}/answer", json={"key": "size", "answer": 1})
    assert unknown.status_code == 409


@pytest.mark.anyio
async def test_a_run_that_asks_nothing_takes_no_answer(
    bench: Any, client: httpx.AsyncClient
) -> None:
    run = await bench.run(await bench.ask(World().flow(bench)))
    refused = await client.post(f"{_job(run)}/answer", json={"answer": "black"})
    assert (refused.status_code, (await bench.run(run.id)).status) == (409, "pending")


@pytest.mark.anyio
async def test_a_run_that_waits_for_a_person_can_be_cancelled(bench: Any) -> None:
    flow = World(COLOUR).flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        await bench.until(run_id, "paused")
    run = await bench.cancel(run_id)
    assert (run.status, run.question) == ("cancelled", None)


@pytest.mark.anyio
async def test_what_must_be_answered_is_not_skipped_by_resuming(bench: Any) -> None:
    flow = World(COLOUR).flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        await bench.until(run_id, "paused")
        with pytest.raises(Conflict, match="Which colour is it"):
            await bench.resume(run_id)
    assert (await bench.run(run_id)).status == "paused"


@pytest.mark.anyio
async def test_what_need_not_be_answered_is_unknown_to_a_run_that_is_resumed(bench: Any) -> None:
    world = World(CASE)
    flow = world.flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        await bench.until(run_id, "paused")
        await bench.resume(run_id)
        assert (await bench.until(run_id)).status == "success"
    assert world.answers == [[None]]


@pytest.mark.anyio
async def test_a_worker_does_not_take_a_run_that_waits_for_a_person(bench: Any) -> None:
    flow = World(COLOUR).flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        await bench.until(run_id, "paused")
    platform = bench.platform
    assert await claim(platform.db, platform.owner.org_id, run_id, platform.kinds) is None
    assert (await bench.run(run_id)).status == "paused"


@pytest.mark.anyio
async def test_asking_answering_and_resuming_are_in_the_audit_log(
    bench: Any, client: httpx.AsyncClient
) -> None:
    flow = World(COLOUR, CASE).flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id, "paused")
        await client.post(f"{_job(run)}/answer", json={"answer": "black"})
        assert (await bench.until(run_id, "paused")).question["key"] == "case"
        await bench.resume(run_id)
        await bench.until(run_id)
    async with bench.platform.unit(bench.platform.owner) as session:
        query = "SELECT action, user_id FROM whence.audit_log WHERE action LIKE '%research' "
        rows = list(await session.execute(text(query + "ORDER BY at")))
    assert [row.action for row in rows] == [
        "request_research",
        "answer_research",
        "resume_research",
    ]
    assert {row.user_id for row in rows} == {bench.platform.owner.user_id}


@given(st.none() | st.booleans() | st.integers() | st.floats() | st.text())
def test_what_a_question_takes_it_takes_again(value: object) -> None:
    for question in (COLOUR, SIZE, CASE):
        try:
            answer = accepted(question, value)
        except Invalid:
            assert not fits(question, value)
        else:
            assert accepted(question, answer) == answer


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "choice"},
        {"choices": ("a", "b")},
        {"key": "Not a key"},
        {"text": ""},
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_where_it_is_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Question.model_validate({"key": "x", "text": "What?", **wrong})
