"""What a conversation is told of research that ended: each figure with what carries it."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from uuid import UUID

import psycopg
import pytest

from chat.turns.conftest import Desk
from chat.waiting import until_it_waits
from whence.app import build
from whence.chat.citing.facts import Sentence, check
from whence.chat.citing.sources import Source
from whence.chat.transcript.views import Answer, MessageAnswer
from whence.chat.turns.maintenance import _OPEN
from whence.chat.turns.outcome import outcome_of
from whence.chat.turns.research_updates import report_progress
from whence.research import runs

pytestmark = pytest.mark.anyio


async def researched(desk: Desk) -> tuple[UUID, MessageAnswer]:
    """Research that was asked for in the conversation, and what was told of it."""
    answer = await desk.say("please research it again")
    async with build.worker(desk.platform):
        reply = await desk.until(
            lambda events: [
                e.payload for e in events if e.type == "message" and e.payload["role"] == "notice"
            ]
        )
    return UUID(answer.meta["research"]["jobId"]), MessageAnswer.model_validate(reply[0])


async def outcome(desk: Desk, run_id: UUID) -> Answer:
    async with desk.platform.unit(desk.who) as session:
        run = await runs.get(session, run_id)
        return await outcome_of(session, desk.platform.kinds, run)


async def test_its_figures_have_references_to_the_claim_and_its_evidence(desk: Desk) -> None:
    run_id, notice = await researched(desk)
    assert notice.content == "The research is done. The note has 4 words [1][2]."
    claim, evidence = notice.citations
    assert (claim.kind, claim.path, claim.title) == ("claim", "words", "The note has 4 words.")
    assert (evidence.kind, evidence.title) == ("evidence", "A note")
    assert notice.meta["research"]["jobId"] == str(run_id)
    assert notice.model_dump(by_alias=True)["citations"][0]["number"] == 1


async def test_where_no_claim_says_it_the_run_carries_it(desk: Desk, database_url: str) -> None:
    run_id, _ = await researched(desk)
    changed = "It has 12 parts. Half of them, 6, are new"
    with psycopg.connect(database_url) as admin:
        body = json.dumps({"summary": changed, "partial": True})
        admin.execute("UPDATE whence.work SET result = %s WHERE id = %s", (body, run_id))
    run_outcome = await outcome(desk, run_id)
    assert run_outcome.content == (
        "The research is done. It is incomplete, so its results are partial [1]. "
        "It has 12 parts [1]. Half of them, 6, are new [1]."
    )
    [run] = run_outcome.citations
    assert (run.kind, run.id) == ("run", run_id)


async def test_a_failure_is_told_with_its_run_and_an_offer(desk: Desk, database_url: str) -> None:
    run_id, _ = await researched(desk)
    with psycopg.connect(database_url) as admin:
        why = '{"type": "x", "message": "It took 600 seconds"}'
        sql = "UPDATE whence.work SET status = 'error', error = %s WHERE id = %s"
        admin.execute(sql, (why, run_id))
    run_outcome = await outcome(desk, run_id)
    assert run_outcome.content == "The research failed. It took 600 seconds [1]."
    [run] = run_outcome.citations
    text = Sentence("It took 600 seconds", (Source(run.kind, run.title, run.snippet),))
    assert check([text], []).unsupported == ()
    assert run_outcome.meta["offer"] == "research"


async def test_a_record_that_is_gone_leaves_the_run_to_carry_it(desk: Desk) -> None:
    run_id, _ = await researched(desk)
    async with desk.platform.unit(desk.who) as session:
        await desk.platform.deletion.delete(
            session, desk.who, desk.platform.kind("notes"), desk.note
        )
    run_outcome = await outcome(desk, run_id)
    assert run_outcome.content == "The research is done. The note has 4 words [1]."
    assert [each.kind for each in run_outcome.citations] == ["run"]


async def test_a_deleted_conversation_is_told_nothing(desk: Desk, database_url: str) -> None:
    from whence.chat.transcript import sessions

    await desk.say("please research it again")
    async with desk.platform.unit(desk.who) as session:
        await sessions.delete(session, desk.who, desk.session_id)
    with psycopg.connect(database_url, autocommit=True) as admin:
        async with build.worker(desk.platform):
            await desk.until(
                lambda _: admin.execute(
                    "SELECT 1 FROM whence.chat_followings WHERE done_at IS NOT NULL"
                ).fetchone()
            )
        left = "SELECT count(*) FROM whence.events WHERE stream_id = %s"
        assert admin.execute(left, (desk.session_id,)).fetchone() == (0,)


async def test_two_processes_that_tell_at_once_tell_each_thing_once(
    desk: Desk, database_url: str, looker: psycopg.Connection[Any]
) -> None:
    await desk.say("please research it again")
    async with build.worker(desk.platform):
        await desk.platform.turns.close()
        async with asyncio.timeout(90):
            while not await _ended(database_url):
                await asyncio.sleep(0.05)
    before = len(await desk.events())
    with psycopg.connect(database_url) as admin:
        following = admin.execute("SELECT id FROM whence.chat_followings").fetchone()
        assert following is not None
        admin.execute("SELECT FROM whence.chat_sessions FOR UPDATE")  # so that both are at it
        platform = desk.platform
        arguments = (platform.db, platform.kinds, desk.who.org_id, following[0])
        both = [asyncio.create_task(report_progress(*arguments)) for _ in range(2)]
        await until_it_waits(looker, *both)
        assert not any(task.done() for task in both)
    assert await asyncio.gather(*both) == [True, True]
    payloads = [
        (e.type, e.payload.get("message") or e.payload.get("id"))
        for e in (await desk.events())[before:]
    ]
    assert len(payloads) == len({repr(one) for one in payloads})
    assert [kind for kind, _ in payloads].count("message") == 1


async def test_however_many_runs_wait_the_next_one_is_found(desk: Desk, database_url: str) -> None:
    waiting = """
        INSERT INTO whence.chat_followings (org_id, id, session_id, run_id, user_id, created_at)
        SELECT org_id, gen_random_uuid(), id, gen_random_uuid(), user_id, 'yesterday'
        FROM whence.chat_sessions, generate_series(1, 1000)
    """
    with psycopg.connect(database_url) as admin:
        admin.execute(waiting)
    await desk.say("please research it again")
    known = [row[1] for row in await desk.platform.db.rows(_OPEN, {"followed": []})]
    [(*_, run_id, _)] = await desk.platform.db.rows(_OPEN, {"followed": known})
    assert (await desk.messages())[-1].meta["research"]["jobId"] == str(run_id)


async def test_a_run_that_is_gone_is_followed_no_longer(desk: Desk, database_url: str) -> None:
    await desk.say("please research it again")
    with psycopg.connect(database_url) as admin:
        admin.execute("UPDATE whence.chat_followings SET run_id = gen_random_uuid()")
        following = admin.execute("SELECT id FROM whence.chat_followings").fetchone()
    platform = desk.platform
    assert following is not None
    assert await report_progress(platform.db, platform.kinds, desk.who.org_id, following[0])
    assert await desk.platform.db.rows(_OPEN, {"followed": []}) == []


async def _ended(database_url: str) -> bool:
    with psycopg.connect(database_url) as admin:
        rows = admin.execute("SELECT status FROM whence.work").fetchone()
    return rows == ("success",)
