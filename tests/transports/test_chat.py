"""Conversations over HTTP: one's own, page by page, found by words, and as a file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from whence.app.platform import Platform
from whence.chat.transcript import messages
from whence.chat.transcript.views import Answer, CalledTool, Cited
from whence.kernel.ids import new_id
from whence.tenancy import accounts
from whence.tenancy.principal import Principal, Role, Scope

pytestmark = pytest.mark.anyio
CITED = Cited(
    number=1, kind="evidence", title="Sold <b>lamp</b>", snippet="Sold for 40", id=new_id()
)


@pytest.fixture
async def note(owner: httpx.AsyncClient) -> str:
    made = await owner.post("/api/notes", json={"title": "A lamp", "text": "of brass"})
    return made.json()["id"]


@pytest.fixture
async def chats(note: str) -> str:
    return f"/api/notes/{note}/chat/sessions"


@pytest.fixture
async def chat(owner: httpx.AsyncClient, chats: str) -> str:
    return (await owner.post(chats)).json()["sessionId"]


async def tell(
    platform: Platform, chat: str, *pairs: tuple[str, str], who: Principal | None = None
) -> None:
    """A turn for each pair of a message and its answer."""
    who = who or platform.owner
    for statement, answered in pairs:
        async with platform.unit(who) as session:
            begun = await messages.begin_turn(
                session, who, UUID(chat), statement, str(new_id()), 60
            )
            answer = Answer(
                answered,
                intent="question",
                method="rules:answer@1",
                citations=[CITED],
                tool_calls=[CalledTool(name="read_dossier", arguments={}, status="ok")],
            )
            await messages.end_turn(session, UUID(chat), begun.turn_id, answer, "complete")


async def test_a_conversation_is_begun_found_renamed_and_deleted(
    owner: httpx.AsyncClient, chats: str
) -> None:
    assert (await owner.get(f"{chats}/active")).json() is None
    made = await owner.post(chats)
    assert made.status_code == 201
    path = made.headers["Location"]
    conversation = (await owner.get(path)).json()
    assert (conversation["id"], conversation["kind"], conversation["title"]) == (
        made.json()["sessionId"],
        "notes",
        "",
    )
    assert (await owner.get(f"{chats}/active")).json() == conversation
    renamed = (await owner.patch(path, json={"title": "  The  lamp "})).json()
    assert renamed["title"] == "The lamp"
    assert (await owner.delete(path)).status_code == 204
    assert (await owner.get(path)).status_code == 404
    assert (await owner.get("/api/chat/sessions")).json()["items"] == []


async def test_the_one_last_used_is_active(
    platform: Platform, owner: httpx.AsyncClient, chats: str, chat: str
) -> None:
    later = (await owner.post(chats)).json()["sessionId"]
    assert (await owner.get(f"{chats}/active")).json()["id"] == later
    await tell(platform, chat, ("What is it worth?", "40."))
    active = (await owner.get(f"{chats}/active")).json()
    assert (active["id"], active["title"]) == (chat, "What is it worth?")


async def test_what_was_said_comes_newest_first_and_page_by_page(
    platform: Platform, owner: httpx.AsyncClient, chats: str, chat: str
) -> None:
    await tell(platform, chat, *((f"question {n}", f"answer {n} [1]") for n in range(4)))
    messages: list[dict[str, Any]] = []
    query: dict[str, Any] = {"limit": 3}
    while True:
        page = (await owner.get(f"{chats}/{chat}/messages", params=query)).json()
        messages += page["items"]
        if page["nextCursor"] is None:
            break
        query["cursor"] = page["nextCursor"]
    assert [row["ordinal"] for row in messages] == list(range(8, 0, -1))
    newest = messages[0]
    assert (newest["role"], newest["content"]) == ("assistant", "answer 3 [1]")
    assert (newest["status"], newest["intent"]) == ("complete", "question")
    assert newest["citations"][0]["snippet"] == "Sold for 40"
    assert newest["toolCalls"][0]["name"] == "read_dossier"
    own = (await owner.get(f"/api/chat/sessions/{chat}/messages", params={"limit": 3})).json()
    assert own["items"] == messages[:3]


@pytest.mark.parametrize("cursor", ["x", "LTE=", "YXxi", "4pyT"])
async def test_a_cursor_of_somebody_elses_making_is_refused(
    owner: httpx.AsyncClient, chats: str, chat: str, cursor: str
) -> None:
    for path in (f"{chats}/{chat}/messages", chats, "/api/chat/search?q=a"):
        answer = await owner.get(path, params={"cursor": cursor, "q": "a"})
        assert answer.status_code == 422, path


async def test_another_record_does_not_have_the_conversation(
    owner: httpx.AsyncClient, chat: str
) -> None:
    other = (await owner.post("/api/notes", json={"title": "B", "text": "b"})).json()["id"]
    path = f"/api/notes/{other}/chat/sessions/{chat}"
    for address in (path, f"{path}/messages", f"{path}/export"):
        assert (await owner.get(address)).status_code == 404
    assert (await owner.delete(path)).status_code == 404


async def test_words_are_found_in_ones_own_conversations_only(
    platform: Platform,
    owner: httpx.AsyncClient,
    signed_in: Callable[..., Awaitable[httpx.AsyncClient]],
    new_principal: Callable[..., Principal],
    chats: str,
    chat: str,
) -> None:
    long = "x " * 100 + "an Astrolabe of 50% brass_ware" + " y" * 100
    await tell(platform, chat, ("Tell me of the astrolabe", long), ("Thanks", "You are welcome"))
    colleague = new_principal(Role.MEMBER, platform.owner.org_id)
    theirs = await signed_in(colleague)
    other = (await theirs.post(chats)).json()["sessionId"]
    await tell(platform, other, ("My astrolabe", "Yours"), who=colleague)
    body = (await owner.get("/api/chat/search", params={"q": "ASTROLABE"})).json()["items"]
    assert [(hit["ordinal"], hit["role"]) for hit in body] == [(2, "assistant"), (1, "user")]
    assert "an Astrolabe of 50% brass_ware" in body[0]["snippet"]
    assert len(body[0]["snippet"]) < 220
    assert body[0]["sessionId"] == chat
    for query, hits in (
        ("50% brass_ware", 1),
        ("0%b", 0),
        ("brass-ware", 1),
        ("strolabe", 0),
        ("of astro", 2),
    ):
        answer = await owner.get("/api/chat/search", params={"q": query})
        assert len(answer.json()["items"]) == hits, query
    one = (await owner.get("/api/chat/search", params={"q": "astrolabe", "limit": 1})).json()
    query = {"q": "astrolabe", "limit": 1, "cursor": one["nextCursor"]}
    two = (await owner.get("/api/chat/search", params=query)).json()
    assert one["items"] + two["items"] == body
    assert two["nextCursor"] is None
    await owner.delete(f"/api/chat/sessions/{chat}")
    gone = await owner.get("/api/chat/search", params={"q": "astrolabe"})
    assert gone.json()["items"] == []


async def test_a_deleted_record_keeps_its_conversations_for_those_who_had_them(
    platform: Platform, owner: httpx.AsyncClient, note: str, chats: str, chat: str
) -> None:
    await tell(platform, chat, ("What is it?", "A lamp."))
    await owner.delete(f"/api/notes/{note}")
    assert (await owner.get(f"{chats}/{chat}")).status_code == 404
    message = (await owner.get(f"/api/chat/sessions/{chat}/messages")).json()["items"]
    assert [row["content"] for row in message] == ["A lamp.", "What is it?"]


async def test_who_leaves_the_organization_leaves_no_words_behind(
    platform: Platform,
    database_url: str,
    signed_in: Callable[..., Awaitable[httpx.AsyncClient]],
    new_principal: Callable[..., Principal],
    chats: str,
) -> None:
    leaver = new_principal(Role.MEMBER, platform.owner.org_id)
    theirs = (await (await signed_in(leaver)).post(chats)).json()["sessionId"]
    await tell(platform, theirs, ("My words", "Yours"), who=leaver)
    with psycopg.connect(database_url, autocommit=True) as admin:
        admin.execute(
            "INSERT INTO whence.events (org_id, stream_id, seq, type, payload, at)"
            " VALUES (%s, %s, 1, 'token', '{}', now())",
            (leaver.org_id, theirs),
        )
        await accounts.remove(platform.db, leaver, leaver.user_id)
        for table, column in (
            ("chat_sessions", "id"),
            ("chat_messages", "session_id"),
            ("events", "stream_id"),
        ):
            query = f"SELECT count(*) FROM whence.{table} WHERE {column} = %s"
            assert admin.execute(query.encode(), (theirs,)).fetchone() == (0,), table


async def test_a_read_only_token_reads_and_changes_nothing(
    platform: Platform,
    signed_in: Callable[..., Awaitable[httpx.AsyncClient]],
    chats: str,
    chat: str,
) -> None:
    reads = await signed_in(platform.owner, {Scope.READ})
    assert (await reads.get(f"{chats}/{chat}")).status_code == 200
    assert (await reads.post(chats)).status_code == 403
    assert (await reads.delete(f"{chats}/{chat}")).status_code == 403
    assert (await reads.patch(f"{chats}/{chat}", json={"title": "x"})).status_code == 403
    writes = await signed_in(platform.owner, {Scope.WRITE})
    assert (await writes.post(chats)).status_code == 403


async def test_a_long_conversation_is_exported_whole_and_in_order(
    platform: Platform, owner: httpx.AsyncClient, database_url: str, chats: str, chat: str
) -> None:
    many = 1203
    with psycopg.connect(database_url, autocommit=True) as admin:
        admin.execute(
            "INSERT INTO whence.chat_messages (org_id, id, session_id, ordinal, role, content,"
            " status, created_at) SELECT %s, gen_random_uuid(), %s, n, 'notice', 'said ' || n,"
            " 'complete', now() FROM generate_series(1, %s) n",
            (platform.owner.org_id, chat, many),
        )
        admin.execute("UPDATE whence.chat_sessions SET message_count = %s", (many,))
    answer = await owner.get(f"{chats}/{chat}/export")
    assert answer.headers["content-type"] == "application/json"
    answered = answer.json()
    assert answered["session"]["id"] == chat
    assert [row["content"] for row in answered["messages"]] == [
        f"said {n + 1}" for n in range(many)
    ]
    text = (await owner.get(f"{chats}/{chat}/export", params={"format": "md"})).text
    assert text.count("\n> said ") == many


async def test_a_conversation_as_markdown_holds_its_citations_and_loads_nothing(
    platform: Platform, owner: httpx.AsyncClient, chats: str, chat: str
) -> None:
    planted = "It is ![x](http://evil.example/p.png) <img src=x>\n## 9. You, now\n[a](javascript:b)"
    await tell(platform, chat, ("What is it?", planted))
    answer = await owner.get(f"{chats}/{chat}/export", params={"format": "md"})
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert "attachment" in answer.headers["content-disposition"]
    text = answer.text
    assert text.startswith("# What is it?\n")
    assert "> What is it?\n" in text
    assert "- \\[1\\] **Sold \\<b\\>lamp\\</b\\>**: Sold for 40 · evidence" in text
    for live in ("![", "<img", "\n## 9.", "[a](", " <b>"):
        assert live not in text.replace("\\!", "").replace("\\[", "").replace("\\<", ""), live


async def test_what_an_answer_was_written_from_is_its_persons_alone(
    platform: Platform,
    owner: httpx.AsyncClient,
    signed_in: Any,
    new_principal: Callable[..., Principal],
    chat: str,
    chats: str,
) -> None:
    member = await signed_in(new_principal(Role.MEMBER, platform.owner.org_id))
    await tell(platform, chat, ("How long is it?", "Four words."))
    messages = (await owner.get(f"{chats}/{chat}/messages")).json()["items"]
    answer = f"{chat}/messages/{messages[0]['id']}/context"
    for base in (chats, "/api/chat/sessions"):
        read = await owner.get(f"{base}/{answer}")
        assert read.json() == {"model": None, "rules": None, "keptDays": 14.0}
        assert (await member.get(f"{base}/{answer}")).status_code == 404
    own = (await member.post(chats)).json()["sessionId"]
    beside = f"/api/chat/sessions/{own}/messages/{messages[0]['id']}/context"
    assert (await member.get(beside)).status_code == 404
    question = f"{chat}/messages/{messages[1]['id']}/context"
    assert (await owner.get(f"/api/chat/sessions/{question}")).status_code == 404
