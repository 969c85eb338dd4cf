"""What an operator sees: readiness part by part, request ids, and figures as in the rows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import httpx
import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr

from whence.app.platform import Platform
from whence.db.database import Database
from whence.events import log
from whence.kernel.errors import Forbidden, Unauthorized
from whence.kernel.health import Health
from whence.kernel.settings import Settings
from whence.records import store
from whence.research import run_steps, runs
from whence.transports.app import asgi
from whence.transports.edge import process_metrics as figures
from whence.transports.routes.http.metrics import require_operator
from whence.transports.worker_server import MetricsPortTaken, beside_worker
from whence.work.queue import Priority

pytestmark = pytest.mark.anyio
Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def read(text: str) -> Samples:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(samples: Samples, name: str, **labels: str) -> float:
    return samples.get((f"whence_{name}", tuple(sorted(labels.items()))), 0.0)


@pytest.fixture
async def client(platform: Platform) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(asgi(platform), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as result:
        yield result


async def scrape(client: httpx.AsyncClient) -> Samples:
    answer = await client.get("/metrics")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return read(answer.text)


async def ask(platform: Platform, priority: Priority = Priority.NORMAL) -> Any:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        note = kind.record(title="A note", text="four words stand here")
        row = await store.create(session, platform.owner, kind, note)
        submitted = await runs.request(
            session,
            platform.queue,
            platform.owner,
            kind,
            platform.flow("notes", None),
            row.id,
            priority=priority,
        )
    return submitted.id


async def until_ended(platform: Platform, run_id: Any) -> Any:
    async with asyncio.timeout(30):
        while True:
            async with platform.unit(platform.owner) as session:
                run = await runs.get(session, run_id)
                if run.status in ("success", "error"):
                    return run, await run_steps.steps(session, run_id)
            await asyncio.sleep(0.05)


async def test_the_figures_after_a_run_are_those_of_its_rows(
    platform: Platform, client: httpx.AsyncClient, worker: object
) -> None:
    before = await scrape(client)
    run, steps = await until_ended(platform, await ask(platform))
    assert run.status == "success"
    after = await scrape(client)

    def grown(name: str, **labels: str) -> float:
        return value(after, name, **labels) - value(before, name, **labels)

    for step in steps:
        labels = {"flow": "notes/research", "node": step.node, "status": "success"}
        assert grown("node_seconds_count", **labels) == 1
    spent = sum(v - before.get(k, 0) for k, v in after.items() if k[0] == "whence_node_seconds_sum")
    events = await log.read(platform.db, platform.owner.org_id, run.id, 0)
    durations = [e.payload["durationMs"] for e in events if e.type == "node_complete"]
    assert 1000 * spent == pytest.approx(sum(durations), abs=len(steps))
    assert spent <= run.spent_seconds
    assert grown("attempts_total", resumed="no") == run.attempt == 1
    assert grown("attempt_endings_total", ending="success") == 1
    assert value(after, "runs_ended_last_day", state="success") == 1
    assert value(after, "workers") == 1
    assert value(after, "database_up") == value(after, "bus_listening") == 1


async def test_what_waits_is_counted_by_priority_with_its_age(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await ask(platform, Priority.HIGH)
    for _ in range(2):
        await ask(platform, Priority.LOW)
    result = await scrape(client)
    assert value(result, "runs", state="pending") == 3
    depth = {name: value(result, "queue_depth", priority=name) for name in Priority}
    assert depth == {"high": 1, "low": 2, "normal": 0}
    high = value(result, "queue_oldest_seconds", priority="high")
    low = value(result, "queue_oldest_seconds", priority="low")
    assert 0 < low < high < 30


async def test_a_job_whose_time_has_come_is_as_old_as_since_then(
    platform: Platform, client: httpx.AsyncClient, database_url: str
) -> None:
    await ask(platform, Priority.HIGH)
    with psycopg.connect(database_url) as admin:
        admin.execute("SET search_path TO jobs")
        for statement in (
            "UPDATE procrastinate_events SET at = now() - interval '1 day'",
            "UPDATE procrastinate_jobs SET scheduled_at = now() - interval '1 hour'",
            "UPDATE procrastinate_jobs SET scheduled_at = NULL",  # as a fetch does
        ):
            admin.execute(statement.encode())
    age = value(await scrape(client), "queue_oldest_seconds", priority="high")
    assert 3_600 <= age < 7_200


async def test_organizations_are_counted_together_and_never_named(
    platform: Platform, client: httpx.AsyncClient, new_principal: Callable[..., Any]
) -> None:
    other = new_principal()
    await ask(platform)
    await ask(replace(platform, owner=other))
    answer = await client.get("/metrics")
    assert value(read(answer.text), "runs", state="pending") == 2
    for secret in (other.org_id, platform.owner.org_id, platform.owner.user_id, "A note"):
        assert str(secret) not in answer.text


async def test_requests_are_counted_by_the_template_of_their_route(
    client: httpx.AsyncClient,
) -> None:
    before = await scrape(client)
    for path in ("/api/notes/one", "/api/notes/two", "/nowhere/at/all", "/wp-login.php"):
        await client.get(path)
    after = await scrape(client)
    name, labels = "http_request_seconds_count", {"method": "GET"}
    known = labels | {"route": "/api/notes/{id}", "status": "401"}
    unknown = labels | {"route": "none", "status": "404"}
    assert value(after, name, **known) - value(before, name, **known) == 2
    assert value(after, name, **unknown) - value(before, name, **unknown) == 2
    assert "nowhere" not in str(after)


async def test_a_method_that_nobody_knows_opens_no_new_series(client: httpx.AsyncClient) -> None:
    await client.request("FROBNICATE", "/healthz")
    assert "FROBNICATE" not in (await client.get("/metrics")).text


@pytest.mark.parametrize(
    ("sent", "answered"),
    [
        ("trace-4711.a_b", True),
        ("a b", False),
        ("short", False),
        ("x" * 65, False),
        ("é" * 8, False),
    ],
)
async def test_a_request_id_that_can_stand_in_a_log_is_kept(
    sent: str, answered: bool, client: httpx.AsyncClient
) -> None:
    answer = await client.get("/healthz", headers={"X-Request-Id": sent.encode()})
    assert (answer.headers["x-request-id"] == sent) is answered
    assert len(answer.headers["x-request-id"]) in (len(sent), 36)


@pytest.mark.parametrize(
    ("peer", "headers"),
    [
        ("10.0.0.7", {}),
        ("127.0.0.1", {"x-forwarded-for": "203.0.113.9"}),
        ("127.0.0.1", {"forwarded": "for=203.0.113.9"}),
        ("127.0.0.1", {"x-real-ip": "203.0.113.9"}),
        ("127.0.0.1", {"x-forwarded-host": "whence.example.org"}),
        ("127.0.0.1", {"x-forwarded-proto": "https"}),
        ("127.0.0.1", {"via": "1.1 proxy"}),
    ],
)
async def test_without_a_token_metrics_are_for_this_machine_only(
    peer: str, headers: dict[str, str], platform: Platform
) -> None:
    transport = httpx.ASGITransport(asgi(platform), client=(peer, 40000))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        answer = await client.get("/metrics", headers=headers)
    assert answer.status_code == 403
    assert "WHENCE_METRICS_TOKEN" in answer.json()["detail"]


def test_with_a_token_only_its_holder_sees_them_from_anywhere() -> None:
    settings = Settings(metrics_token=SecretStr("scrape-me"))
    require_operator(settings, "Bearer scrape-me", is_direct=False)
    for wrong in ("", "Bearer scrape", "Basic scrape-me", "scrape-me"):
        with pytest.raises(Unauthorized):
            require_operator(settings, wrong, is_direct=True)
    with pytest.raises(Forbidden):
        require_operator(Settings(), "Bearer scrape-me", is_direct=False)


async def test_the_token_that_is_set_is_asked_of_this_machine_too(platform: Platform) -> None:
    reported = platform.settings.model_copy(update={"metrics_token": SecretStr("scrape-me")})
    transport = httpx.ASGITransport(asgi(replace(platform, settings=reported)))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        assert (await client.get("/metrics")).status_code == 401
        bearer = {"Authorization": "Bearer scrape-me"}
        assert (await client.get("/metrics", headers=bearer)).status_code == 200


async def test_a_process_is_ready_when_all_its_parts_work(client: httpx.AsyncClient) -> None:
    answer = await client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


async def test_an_older_database_is_named(client: httpx.AsyncClient, database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute("UPDATE whence.schema_version SET version_num = '0002'")
    answer = await client.get("/readyz")
    assert answer.status_code == 503
    assert [item["field"] for item in answer.json()["errors"]] == ["migrations"]
    assert "0002" in answer.json()["detail"]


async def test_a_newer_database_does_not_end_the_processes_before_it(
    client: httpx.AsyncClient, database_url: str
) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute("UPDATE whence.schema_version SET version_num = '9999'")
    assert (await client.get("/readyz")).status_code == 200


async def test_a_worker_that_ended_is_named(platform: Platform, client: httpx.AsyncClient) -> None:
    with platform.services.get(Health).part("worker", lambda: "it has ended"):
        answer = await client.get("/readyz")
    assert answer.json()["errors"] == [{"field": "worker", "message": "it has ended"}]
    assert (await client.get("/readyz")).status_code == 200


async def test_a_bus_that_hears_nothing_is_named(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await platform.bus.close()
    answer = await client.get("/readyz")
    assert [item["field"] for item in answer.json()["errors"]] == ["events"]
    assert value(await scrape(client), "bus_listening") == 0


async def test_a_database_that_is_away_is_named_without_its_address(platform: Platform) -> None:
    away = Database("postgresql://somebody:s3cr3tWord@127.0.0.1:1/gone")
    broken = replace(platform, db=away)
    wrong = await figures.failing(broken)
    assert "database" in wrong
    assert not {"s3cr3tWord", "somebody"} & set(str(wrong).replace("'", " ").split())
    shown = read((await figures.scraped(broken)).decode())
    assert value(shown, "database_up") == 0
    assert ("whence_runs", (("state", "pending"),)) not in shown
    await away.close()


async def test_a_worker_alone_shows_its_own_on_loopback(platform: Platform) -> None:
    async with beside_worker(platform, 0) as url, httpx.AsyncClient() as client:
        shown = read((await client.get(f"{url}/metrics")).text)
        assert value(shown, "database_up") == 1
        assert (await client.get(f"{url}/readyz")).json() == {"status": "ok"}
        rebound = await client.get(f"{url}/metrics", headers={"host": "evil.example.org"})
        assert rebound.status_code == 400
        port = int(str(url).rpartition(":")[2])
        with pytest.raises(MetricsPortTaken):
            async with beside_worker(platform, port):
                pass
    async with beside_worker(platform, None) as nothing:
        assert nothing is None
