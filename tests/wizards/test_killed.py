"""A server that is killed in the middle of an answer to a wizard, and what the next one finds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, LiteralString

import psycopg
import pytest

from streams.processes import ApiProcesses
from whence.app.platform import Platform
from whence.kernel.ids import new_id
from whence.records import store
from whence.tenancy import tokens
from wizards.talking import ABOUT, REVIEW, WORDS, RestTalker

pytestmark = pytest.mark.anyio
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = %s"
ANSWERED = "SELECT count(*) FROM whence.wizard_runs WHERE revision = %s"
LET_GO = "UPDATE whence.chat_sessions SET turn_lease = now() - interval '1 second'"


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as result:
        yield result


async def until_waiting(database: psycopg.AsyncConnection[Any]) -> None:
    """Until a client of this database waits for a lock."""
    await _until(database, WAITING, database.info.dbname)


async def until_answered(database: psycopg.AsyncConnection[Any], revision: int) -> None:
    """Until the wizard's answer is committed."""
    await _until(database, ANSWERED, revision)


async def _until(database: psycopg.AsyncConnection[Any], query: LiteralString, value: Any) -> None:
    async with asyncio.timeout(90):
        while (await (await database.execute(query, (value,))).fetchone()) == (0,):
            await asyncio.sleep(0.02)


@pytest.mark.long
@pytest.mark.parametrize(("step", "was_kept"), [("first", False), ("last", True)])
async def test_a_server_killed_in_the_middle_of_an_answer_loses_and_doubles_nothing(
    platform: Platform,
    serve: str,
    start_api: ApiProcesses,
    database: psycopg.AsyncConnection[Any],
    database_url: str,
    step: str,
    was_kept: bool,
) -> None:
    kind, who = platform.kind("notes"), platform.owner
    async with platform.unit(who) as session:
        note = await store.create(session, who, kind, kind.record(title="Old", text="old words"))
    token = await tokens.issue(platform.db, who, "talker")
    server = await start_api()
    answers = [ABOUT] if step == "first" else [ABOUT, WORDS, REVIEW]
    async with RestTalker(server.url, token, f"notes/{note.id}") as talker:
        conversation = talker.session_id
        shown = await talker.wizard("init", wizardId="sample_pack.write")
        for answer in answers[:-1]:
            shown = await talker.wizard("respond", **answer)
        before = shown["meta"]["wizard"]
        submit = {"revision": before["revision"], **answers[-1]}
        held = await psycopg.AsyncConnection.connect(database_url)
        after = await psycopg.AsyncConnection.connect(database_url)
        async with held, after:
            await held.execute("SELECT FROM whence.wizard_runs FOR UPDATE")
            wizard_input = {"action": "respond", **submit}
            await talker.send(clientMessageId=str(new_id()), wizardInput=wizard_input)
            await until_waiting(database)
            if was_kept:  # the wizard's part is committed; the conversation's is not
                await after.execute("SELECT FROM whence.chat_sessions FOR UPDATE")
                await held.rollback()
                await until_answered(database, before["revision"] + 1)
                await until_waiting(database)
            server.kill()
            await held.rollback()
            await after.rollback()

    await database.execute(LET_GO)
    async with RestTalker(serve, token, f"notes/{note.id}", conversation) as talker:
        result = await talker.standalone(before["wizardRunId"])
        assert result["revision"] == before["revision"] + was_kept
        async with asyncio.timeout(90):
            while "messageId" not in (sent := await send(talker, submit)):
                assert sent["type"] == "/problems/turn-running"
                await asyncio.sleep(0.1)
        again = (await talker.answer(sent["answerId"]))["meta"]["wizard"]
        assert again == await talker.standalone(before["wizardRunId"])

    assert again["revision"] == before["revision"] + 1
    assert (again["progress"]["status"] == "completed") is (step == "last")
    assert again["ui"]["record"] == {"kind": "notes", "id": str(note.id)}
    rows = await database.execute("SELECT count(*), max(revision) FROM whence.wizard_answers")
    assert await rows.fetchone() == (len(answers), len(answers))
    rows = await database.execute("SELECT title, version FROM sample_pack.notes")
    assert await rows.fetchall() == [("Tea", 2) if step == "last" else ("Old", 1)]


async def send(talker: RestTalker, submit: dict[str, Any]) -> dict[str, Any]:
    return await talker.send(
        clientMessageId=str(new_id()), wizardInput={"action": "respond", **submit}
    )
