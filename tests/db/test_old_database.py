"""A dump of a database at migration 0017 is restored, migrated, and worked on as before.

`scripts/make_old_database.py` wrote the dump, with the program of then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from whence.app import build
from whence.chat.proposals import refusals
from whence.chat.proposals.service import LIFETIME
from whence.chat.proposals.tables import ProposalRow
from whence.db.figures import own_revision, revision
from whence.kernel.clock import now
from whence.kernel.ids import new_id
from whence.tenancy import sessions

pytestmark = pytest.mark.anyio
DUMP = Path(__file__).parents[1] / "fixtures" / "database_0017.sql"


@pytest.fixture
def database_url(postgres: str, template: str) -> Iterator[str]:
    """The restored database (`template` has made the roles); dropped after the test."""
    name = f"old_{new_id().hex}"
    with psycopg.connect(postgres, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        url = make_conninfo(postgres, dbname=name)
        with psycopg.connect(url) as connection:
            connection.execute(DUMP.read_bytes())
        yield url
        admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
async def client(platform: Any, serve: str) -> Any:
    """The owner of then, signed in to a server on the migrated database."""
    started = await sessions.start(
        platform.db, platform.owner, label="test", settings=platform.settings
    )
    headers = {"Authorization": f"Bearer {started.access}"}
    # Each request has a connection of its own: a server under load closes those that wait.
    limits = httpx.Limits(max_keepalive_connections=0)
    async with httpx.AsyncClient(
        base_url=serve, headers=headers, timeout=60, limits=limits
    ) as client:
        yield client


async def read(client: httpx.AsyncClient, path: str, **more: Any) -> Any:
    answer = await client.get(path, **more)
    assert answer.status_code == 200, (path, answer.text)
    return answer.json()


async def ended(client: httpx.AsyncClient, path: str) -> Any:
    async with asyncio.timeout(120):
        while (job := await read(client, path))["completedAt"] is None:
            await asyncio.sleep(0.1)
    return job


async def job_of(client: httpx.AsyncClient, record: str, database_url: str) -> tuple[str, Any]:
    """The address of a record's only job, and the job."""
    record_id = (await read(client, f"/api/{record}"))["id"]
    with psycopg.connect(database_url) as admin:
        query = "SELECT id FROM whence.runs WHERE subject_id = %s"
        [(job_id,)] = admin.execute(query, (record_id,)).fetchall()
    path = f"/api/{record}/research/jobs/{job_id}"
    return path, await read(client, path)


async def test_records_evidence_and_photographs_are_read(
    platform: Any, client: httpx.AsyncClient
) -> None:
    assert await revision(platform.db) == own_revision()
    notes = (await read(client, "/api/notes", params={"search": "four words"}))["items"]
    assert {note["externalId"] for note in notes} == {"done", "running", "waiting"}
    dossier = await read(client, "/api/notes/done/research/latest")
    assert dossier["body"] == {"words": 4}
    evidence = (await read(client, "/api/notes/done/evidence"))["items"]
    assert "four words stand here" in str(evidence)
    [file] = (await read(client, "/api/items/photographed/files"))["items"]
    picture = await client.get(f"/api/items/photographed/files/{file['digest']}")
    assert (picture.status_code, picture.content[:4]) == (200, b"\x89PNG")


async def test_runs_that_paused_waited_or_lost_their_worker_come_to_their_end(
    platform: Any, client: httpx.AsyncClient, database_url: str
) -> None:
    path, job = await job_of(client, "items/photographed", database_url)
    assert (job["status"], bool(job["question"])) == ("paused", True)
    answer = {"key": job["question"]["key"], "answer": "Corvane L3"}
    answered = await client.post(f"{path}/answer", json=answer)
    assert answered.status_code < 300, answered.text
    running, before = await job_of(client, "notes/running", database_url)
    assert before["status"] == "running"
    async with build.worker(platform):
        assert (await ended(client, path))["status"] == "success"
        assert (await ended(client, running))["status"] == "success"
        waiting, _ = await job_of(client, "notes/waiting", database_url)
        assert (await ended(client, waiting))["status"] == "success"
    assert (await read(client, running))["attempt"] == 2


async def renew(platform: Any, proposal_id: str, database_url: str) -> None:
    """Let a proposal, which must be as the program of then made it, expire tomorrow."""
    async with platform.unit(platform.owner) as session:
        proposal = await session.get_one(ProposalRow, (platform.owner.org_id, UUID(proposal_id)))
        session.expunge(proposal)
    refusals.require_intact(proposal)
    proposal.expires_at = now() + LIFETIME
    with psycopg.connect(database_url) as admin:
        admin.execute("SET LOCAL session_replication_role = replica")  # it guards itself
        admin.execute(
            "UPDATE whence.proposals SET expires_at = %s, digest = %s WHERE id = %s",
            (proposal.expires_at, refusals.proposal_digest(proposal), proposal_id),
        )


async def test_the_conversation_goes_on_and_the_proposal_is_applied(
    client: httpx.AsyncClient, platform: Any, database_url: str
) -> None:
    [chat] = (await read(client, "/api/notes/done/chat/sessions"))["items"]
    address = f"/api/notes/done/chat/sessions/{chat['id']}/messages"
    contents = [each["content"] for each in (await read(client, address))["items"]]
    assert sorted(contents) == ["How long is it?", "It has four words."]
    sent = await client.post(address, json={"content": "How long?", "clientMessageId": "two"})
    assert sent.status_code < 300, sent.text
    async with asyncio.timeout(60):
        while (answer := (await read(client, address))["items"][0])["status"] == "streaming":
            await asyncio.sleep(0.1)
    assert (answer["role"], answer["status"], "4" in answer["content"]) == (
        "assistant",
        "complete",
        True,
    )
    [proposal] = (await read(client, "/api/notes/done/proposals"))["items"]
    await renew(platform, proposal["id"], database_url)
    applied = await client.post(f"/api/proposals/{proposal['id']}/apply", json={})
    assert applied.status_code == 200, applied.text
    assert (await read(client, "/api/notes/done"))["title"] == "Proposed"


async def test_messages_and_records_from_before_there_was_an_index_are_found(
    client: httpx.AsyncClient,
) -> None:
    matches = (await read(client, "/api/chat/search", params={"q": "FOUR wor"}))["items"]
    assert "It has four words." in {match["snippet"] for match in matches}
    items = (await read(client, "/api/items", params={"search": "thing"}))["items"]
    assert "photographed" in {item["externalId"] for item in items}


async def test_the_form_is_filled_in_to_the_next_step(
    platform: Any, client: httpx.AsyncClient
) -> None:
    [run] = await read(client, "/api/wizards/sample_pack.write/runs")
    answered = await client.post(
        f"/api/wizards/sample_pack.write/runs/{run['wizardRunId']}",
        json={"action": "respond", "stepId": "outline", "responses": {"points": ["One"]}},
    )
    assert answered.status_code == 200, answered.text


async def test_every_table_with_an_organization_is_protected(
    platform: Any, database_url: str
) -> None:
    with psycopg.connect(database_url) as admin:
        bare = admin.execute("""
            SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id'
            WHERE c.relkind IN ('r', 'p') AND n.nspname <> 'jobs'
            AND NOT (c.relrowsecurity AND c.relforcerowsecurity
                AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid))
        """).fetchall()
    assert bare == []
