"""The same attacks on the whole program: whatever the obeying model does, nothing is written."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text

from chat.attacks import ATTACKS
from chat.model.test_attacks import assert_nothing_gets_out
from chat.turns.conftest import desk_of
from llm.conftest import Wire
from llm.wire.conftest import OpenAI
from llm.wire.talking import Want, wanting
from whence.app import build
from whence.app.platform import Platform
from whence.chat.transcript.search import MESSAGES
from whence.kernel.settings import Settings

pytestmark = pytest.mark.anyio

WRITTEN_BY_TURNS = {
    *("chat_sessions", "chat_messages", "events", "streams", "tool_calls", "model_calls"),
    *("chat_spending", "turn_contexts"),
}
"""Tables in which a conversation keeps itself."""
_TABLES = text("""
    SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relkind = 'r' AND n.nspname IN ('whence', 'sample_pack') ORDER BY 1
""")


@pytest.fixture
async def obeying(
    settings: Settings, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Platform]:
    """The program with a model that says what the test scripts."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nothing")
    model = {"model": f"openai:{OpenAI.name}", "model_base_url": wire.url + OpenAI.base}
    async with build.platform(settings.model_copy(update=model)) as platform:
        yield platform


async def contents(platform: Platform) -> dict[str, str | None]:
    """A digest of each table that may be read, except what conversations store and index."""
    result: dict[str, str | None] = {}
    async with platform.unit(platform.owner) as session:
        for table in (await session.scalars(_TABLES)).all():
            allowed = text("SELECT has_table_privilege(:table, 'SELECT')")
            kept_by_turns = table.partition(".")[2] in WRITTEN_BY_TURNS
            if not kept_by_turns and await session.scalar(allowed, {"table": table}):
                rows = (
                    f"SELECT md5(string_agg(t::text, ';' ORDER BY t::text)) FROM {table} t"
                    " WHERE NOT starts_with(coalesce(to_jsonb(t) ->> 'collection', ''),"
                    f" '{MESSAGES.name}/')"
                )
                result[table] = await session.scalar(text(rows))
    return result


async def test_no_attack_writes_anything_or_calls_what_is_not_offered(
    obeying: Platform, wire: Wire
) -> None:
    openai = OpenAI()
    desks = [await desk_of(obeying, obeying.owner, attack.planted) for attack in ATTACKS]
    before = await contents(obeying)
    assert before["sample_pack.notes"], "there is something to be changed"
    for attack, desk in zip(ATTACKS, desks, strict=True):
        wanted = [("count_words", {"text": attack.planted}), *attack.wants]
        wants = [Want(name, arguments, f"call_{n}") for n, (name, arguments) in enumerate(wanted)]
        wire.script(wanting(openai, *wants), openai.stream([attack.says[:5], attack.says[5:]]))
        answer = await desk.say("How long is it?")
        assert not wire.replies, f"{attack.name}: the model was asked"
        assert (answer.status, answer.actions) == ("complete", []), attack.name
        tokens = (e.payload["token"] for e in await desk.events() if e.type == "token")
        for shown in (answer.content, "".join(tokens)):
            assert_nothing_gets_out(shown)
    assert await contents(obeying) == before
    for request in wire.requests:
        assert [one["function"]["name"] for one in request.body["tools"]] == ["count_words"]
    async with obeying.unit(obeying.owner) as session:
        ran = await session.execute(text("SELECT DISTINCT tool, scope FROM whence.tool_calls"))
        assert ran.all() == [("count_words", "read")]
        booked = text(
            "SELECT count(*), sum(calls), bool_and(run_id IS NULL) FROM whence.model_calls"
        )
        assert (await session.execute(booked)).one() == (len(ATTACKS), 2 * len(ATTACKS), True)
