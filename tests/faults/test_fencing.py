"""SIGSTOP for longer than the heartbeat: the run goes on elsewhere, and nothing of the old worker's
is accepted when it comes back."""

from __future__ import annotations

import signal
from collections.abc import Callable
from uuid import UUID

import pytest
from psycopg.conninfo import make_conninfo

from faults import flows, market
from faults.conftest import Bench, Worker
from faults.sampling import rest_long

pytestmark = pytest.mark.anyio

WRITES = {
    "its first step": "before step read_note",
    "evidence": "before keep price",
    "a judgement": "before judge price",
    "a progress event": "before report price",
    "a reservation in the budget": "before reserve",
    "a paid call in the budget": "before record",
    "a tool call": "before call weigh",
    "the end of a step": "after judge weigh",
    "the start of a step": "before step weigh",
    "a checkpoint": "before checkpoint weigh",
    "the dossier": "before step persist_results",
    "the final state": "before succeed",
}
"""What the worker is about to write when it is stopped."""


@pytest.fixture(autouse=True)
def _a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", market.KEY)


@pytest.fixture
def stop_at(start: Callable[..., Worker], outside: market.Market) -> Callable[..., Worker]:
    """A worker of the paid flow, for one run at a time, that stops itself at a point."""
    paid = {"MODEL": market.MODEL, "MODEL_BASE_URL": f"{outside.url}/v1", "WORKER_CONCURRENCY": 1}
    return lambda point, **more: start(
        point, signal="STOP", flow="paid", url=outside.url, **paid, **more
    )


async def _goes_on(bench: Bench, outside: market.Market, run_id: UUID, seconds: float) -> None:
    chosen = {"model": market.MODEL, "model_base_url": f"{outside.url}/v1"}
    async with bench.working(flows.paid(outside.url), **chosen):
        await bench.until(run_id, seconds=seconds)


@pytest.mark.parametrize(
    "what",
    rest_long(WRITES, "evidence", "a paid call in the budget", "a checkpoint", "the final state"),
)
async def test_a_worker_that_comes_back_cannot_write(
    what: str, bench: Bench, stop_at: Callable[..., Worker], outside: market.Market
) -> None:
    run_id = await bench.ask()
    old = stop_at(WRITES[what])
    await old.stopped()
    await _goes_on(bench, outside, run_id, 60)
    assert bench.rows.faults(run_id) == []
    before = bench.rows.of_run(run_id)
    evidence = bench.rows.evidence()

    old.send(signal.SIGCONT)
    other = await bench.ask("another note altogether")
    await bench.until(other)
    assert bench.rows.run(other)["status"] == "success", "it works on, and on other runs only"
    assert bench.rows.of_run(run_id) == before
    written = {row["id"] for row in bench.rows.evidence()} - {row["id"] for row in evidence}
    assert len(written) == 1, "the other note, and nothing else"
    assert bench.rows.faults(run_id) == []
    assert bench.rows.jobs() == []


@pytest.mark.parametrize(
    "point",
    rest_long(["after save persist_results", "before blobs price"], "after save persist_results"),
)
async def test_a_worker_stopped_inside_a_transaction_lets_go_of_the_run(
    point: str,
    bench: Bench,
    stop_at: Callable[..., Worker],
    outside: market.Market,
    environment: dict[str, str],
) -> None:
    quick = "-c idle_in_transaction_session_timeout=2s"
    address = make_conninfo(environment["WHENCE_DATABASE_URL"], options=quick)
    run_id = await bench.ask()
    old = stop_at(point, DATABASE_URL=address)
    await old.stopped()
    await _goes_on(bench, outside, run_id, 90)
    before = bench.rows.of_run(run_id)
    old.send(signal.SIGCONT)
    other = await bench.ask("another note altogether")
    await bench.until(other)
    assert bench.rows.of_run(run_id) == before
    assert bench.rows.faults(run_id) == []


async def test_a_worker_that_comes_back_leaves_its_successors_job_alone(
    bench: Bench, start: Callable[..., Worker]
) -> None:
    """Otherwise nobody would hear of the run again when the successor dies."""
    run_id = await bench.ask("sleep 100")
    old = start("before checkpoint read_note", signal="STOP", WORKER_CONCURRENCY=1)
    await old.stopped()
    heir = start(WORKER_CONCURRENCY=1)
    await bench.until_in("act", run_id)
    old.send(signal.SIGCONT)
    await bench.until(await bench.ask("only the old worker has time for this"))
    await heir.end()
    bench.rows.tell([run_id], "plain")
    await bench.until(run_id)
    assert (bench.rows.run(run_id)["status"], bench.rows.run(run_id)["attempt"]) == ("success", 3)
    assert bench.rows.faults(run_id) == []
    assert bench.rows.jobs() == []
