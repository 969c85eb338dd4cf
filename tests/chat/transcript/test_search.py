"""Searching one's own messages: whatever is said is found by its words, and by nobody else."""

from __future__ import annotations

from uuid import UUID

import psycopg
import pytest

from whence.app.platform import Platform
from whence.chat.transcript import messages, search, sessions
from whence.chat.transcript.views import Answer
from whence.kernel.errors import Invalid
from whence.kernel.ids import new_id
from whence.search import index
from whence.search.rebuild import rebuild
from whence.search.words import Slot
from whence.tenancy.principal import Principal, Role

pytestmark = pytest.mark.anyio


async def chat_of(platform: Platform, who: Principal) -> UUID:
    async with platform.unit(who) as session:
        return (await sessions.open_session(session, who, "notes", new_id())).id


@pytest.fixture
async def chat(platform: Platform) -> UUID:
    return await chat_of(platform, platform.owner)


async def say(
    platform: Platform, chat: UUID, question: str, answer: str, who: Principal | None = None
) -> None:
    who = who or platform.owner
    async with platform.unit(who) as session:
        turn = await messages.begin_turn(session, who, chat, question, str(new_id()), 60)
        await messages.end_turn(session, chat, turn.turn_id, Answer(answer), "complete")


async def matches(platform: Platform, query: str, who: Principal | None = None) -> list[str]:
    who = who or platform.owner
    async with platform.unit(who) as session:
        return [each.message.content for each in await search.search(session, who, query)]


async def test_words_are_found_in_any_conversation_the_newest_first(
    platform: Platform, chat: UUID
) -> None:
    await say(platform, chat, "What is the astrolabe worth?", "About 40")
    await say(platform, await chat_of(platform, platform.owner), "And the QB-700?", "An ASTROLABE")
    assert await matches(platform, "astrolabe") == ["An ASTROLABE", "What is the astrolabe worth?"]
    assert await matches(platform, "worth astro") == ["What is the astrolabe worth?"]
    assert await matches(platform, "qb700") == ["And the QB-700?"]
    assert await matches(platform, "labe") == []
    assert await matches(platform, "%") == []


async def test_a_colleague_and_another_organization_find_nothing_of_it(
    platform: Platform, chat: UUID, new_principal: type[Principal]
) -> None:
    await say(platform, chat, "My astrolabe", "Yours")
    colleague = new_principal(Role.OWNER, platform.owner.org_id)  # type: ignore[call-arg]
    for who in (colleague, new_principal()):  # type: ignore[call-arg]
        assert await matches(platform, "astrolabe", who) == []
    await say(platform, await chat_of(platform, colleague), "Their astrolabe", "Theirs", colleague)
    assert await matches(platform, "astrolabe") == ["My astrolabe"]


async def test_notices_and_answers_that_were_interrupted_are_found(
    platform: Platform, chat: UUID
) -> None:
    who = platform.owner
    async with platform.unit(who) as session:
        await messages.post_notice(session, chat, "done", Answer("The research is done"))
        await messages.begin_turn(session, who, chat, "Interrupt me", "a", 0)
    async with platform.unit(who) as session:
        await sessions.end_interrupted(session, who)
    assert await matches(platform, "research") == ["The research is done"]
    assert await matches(platform, "interrupt") == ["Interrupt me"]


async def test_a_deleted_conversation_leaves_the_index(
    platform: Platform, chat: UUID, database_url: str
) -> None:
    await say(platform, chat, "My astrolabe", "Yours")
    async with platform.unit(platform.owner) as session:
        await sessions.delete(session, platform.owner, chat)
    with psycopg.connect(database_url) as connection:
        for table in ("search_postings", "search_documents"):
            assert connection.execute(f"SELECT * FROM whence.{table}").fetchall() == []


async def test_messages_of_before_the_index_are_found_after_a_start(
    platform: Platform, chat: UUID, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "BATCH", 2)
    await say(platform, chat, "My astrolabe", "Yours")
    await say(platform, chat, "Its price", "The astrolabe: 40")
    with psycopg.connect(database_url) as connection:
        for name in ("postings", "documents", "definitions"):
            connection.execute(f"DELETE FROM whence.search_{name}")
    assert await matches(platform, "astrolabe") == []
    assert await rebuild(platform.db, [search.MESSAGES]) == 4
    assert await matches(platform, "astrolabe") == ["The astrolabe: 40", "My astrolabe"]
    assert await rebuild(platform.db, [search.MESSAGES]) == 0


@pytest.mark.parametrize("query", ["", "   ", "x" * 201])
async def test_a_search_without_words_or_of_too_many_is_refused(
    platform: Platform, query: str
) -> None:
    with pytest.raises(Invalid, match="1 to 200"):
        await matches(platform, query)


@pytest.mark.parametrize(
    ("content", "word", "shown"),
    [
        ("nothing of it", Slot(("astrolabe",)), "nothing of it"),
        ("a " * 200 + "Café", Slot(("cafe",)), "… " + "a " * 29 + "Café"),
        (
            "The QB-700 " + "b " * 200,
            Slot((), prefixes=("qb",)),
            "The QB-700 " + "b " * 59 + "…",
        ),
    ],
)
def test_a_snippet_is_the_text_around_the_word(content: str, word: Slot, shown: str) -> None:
    assert search.snippet(content, word) == shown
