"""kill -9 wherever it may strike: the run goes on elsewhere, and concludes and costs the same."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from faults import flows, market
from faults.conftest import Bench, Worker
from faults.sampling import rest_long

pytestmark = pytest.mark.anyio

PLAIN = ["read_note", "price", "title", "weigh", "persist_results"]

KILLS = {
    "before its first event": ("before claim", None, 1),
    "with its first event not committed": ("after event job_started", None, 1),
    "before the first node": ("after claim", None, 2),
    "before a node": ("before step price", None, 2),
    "before the node that asks the model": ("before step title", None, 2),
    "after a side effect, before the node's end": ("after judge price", "price", 2),
    "between a side effect and the next": ("after keep price", "price", 2),
    "after a node, before its checkpoint": ("before checkpoint price", "price", 2),
    "after a checkpoint, before the next state": ("after checkpoint price", None, 2),
    "after the paid node, before its checkpoint": ("before checkpoint title", "title", 2),
    "after the paid node's checkpoint": ("after checkpoint title", None, 2),
    "with its dossier not committed": ("after save persist_results", "persist_results", 2),
    "after its dossier, before the checkpoint": (
        "before checkpoint persist_results",
        "persist_results",
        2,
    ),
    "after the last checkpoint": ("after checkpoint persist_results", None, 2),
    "before the final state": ("before succeed", None, 2),
    "with its final event not committed": ("after event job_complete", None, 2),
}
"""Where: the point, the node that runs a second time, and the attempts of the run.

So it is known as well whether the model is paid a second time.
"""


BOOKS = {
    "before a call is reserved": ("before reserve", 0, 0),
    "after a call is reserved, before it is sent": ("after reserve", 0, 1),
    "after a call is answered, before it is in the books": ("before record", 1, 1),
    "after a call is in the books": ("after record", 1, 1),
}
"""Where in a paid call: the point, what is asked and what is counted beyond an undisturbed run.

A reservation that was never sent stays counted: the budget then errs on the side of the payer.
"""


@pytest.fixture(autouse=True)
def _a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", market.KEY)


@pytest.fixture
def doom(start: Any, outside: market.Market) -> Callable[..., Worker]:
    """A worker of the paid flow that kills itself at a point."""
    paid = {"MODEL": market.MODEL, "MODEL_BASE_URL": f"{outside.url}/v1"}
    return lambda point="": start(point, flow="paid", url=outside.url, **paid)


async def _goes_on(bench: Bench, outside: market.Market, run_id: UUID) -> UUID:
    """Another worker finishes the run, and then an undisturbed one of the same note; its id."""
    chosen = {"model": market.MODEL, "model_base_url": f"{outside.url}/v1"}
    note = bench.rows.run(run_id)["subject_id"]
    async with bench.working(flows.paid(outside.url), **chosen):
        await bench.until(run_id)
        evidence = bench.rows.evidence()
        undisturbed = await bench.ask(note)
        await bench.until(undisturbed)
    assert evidence == bench.rows.evidence(), "as much evidence as without the kill"
    return undisturbed


def _is_the_same(bench: Bench, run_id: UUID, undisturbed: UUID, *, asked_twice: bool) -> None:
    """Both runs hold all laws, and conclude and cost the same but for a call that was lost."""
    assert bench.rows.faults(run_id) == []
    assert bench.rows.faults(undisturbed) == []
    one, other = bench.rows.result(run_id), bench.rows.result(undisturbed)
    assert (len(one["claims"]), len(one["bundle"])) == (3, 4)
    assert one["dossier"]["body"]["title"] == market.TITLE, "the model was asked"
    costs = ("calls", "tokens", "usd") if asked_twice else ()
    assert [key for key in one if key not in costs and one[key] != other[key]] == []
    assert bench.rows.jobs() == []


@pytest.mark.parametrize(
    "where",
    rest_long(
        KILLS,
        "with its first event not committed",
        "after a side effect, before the node's end",
        "after the paid node, before its checkpoint",
        "after its dossier, before the checkpoint",
        "with its final event not committed",
    ),
)
async def test_a_run_killed(
    where: str, bench: Bench, doom: Callable[..., Worker], outside: market.Market
) -> None:
    point, again, attempts = KILLS[where]
    run_id = await bench.ask()
    doomed = doom(point)
    await doomed.struck()
    await doomed.gone()
    undisturbed = await _goes_on(bench, outside, run_id)

    assert bench.rows.run(run_id)["attempt"] == attempts
    nodes = Counter(step[0] for step in bench.rows.steps(run_id))
    assert nodes == Counter(PLAIN) + Counter([again] if again else [])
    twice = again == "title"
    assert outside.requests["model"] == 2 + twice, "once for each run, and the node that ran again"
    spent = [bench.rows.run(one)["spent_calls"] for one in (run_id, undisturbed)]
    assert spent == [1 + twice, 1], "what was paid is counted, once"
    _is_the_same(bench, run_id, undisturbed, asked_twice=twice)


@pytest.mark.parametrize(
    "where", rest_long(BOOKS, "after a call is answered, before it is in the books")
)
async def test_a_run_killed_in_the_books(
    where: str, bench: Bench, doom: Callable[..., Worker], outside: market.Market
) -> None:
    point, request, counted = BOOKS[where]
    run_id = await bench.ask()
    doomed = doom(point)
    await doomed.struck()
    await doomed.gone()
    undisturbed = await _goes_on(bench, outside, run_id)
    assert outside.requests["model"] == 2 + request
    spent = [bench.rows.run(one)["spent_calls"] for one in (run_id, undisturbed)]
    assert spent == [1 + counted, 1]
    _is_the_same(bench, run_id, undisturbed, asked_twice=counted > 0)


@pytest.mark.parametrize("what", rest_long(["listings", "model"], "model"))
async def test_a_run_killed_inside_an_outside_call(
    what: str, bench: Bench, doom: Callable[..., Worker], outside: market.Market
) -> None:
    reached = outside.hold(what)
    run_id = await bench.ask()
    doomed = doom()
    assert await asyncio.to_thread(reached.wait, 60)
    await doomed.end()
    undisturbed = await _goes_on(bench, outside, run_id)
    is_paid = what == "model"
    assert outside.requests == {"listings": 3 - is_paid, "model": 2 + is_paid}, (
        "only the one in flight"
    )
    spent = [bench.rows.run(one)["spent_calls"] for one in (run_id, undisturbed)]
    assert spent == [1 + is_paid, 1]
    _is_the_same(bench, run_id, undisturbed, asked_twice=is_paid)
