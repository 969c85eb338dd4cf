"""A word that stands in everything of what a test erases, and where it is found."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Sequence
from typing import Any
from uuid import UUID

import psycopg
from PIL import Image
from sqlalchemy import text

from whence.chat.transcript import contexts, messages
from whence.chat.transcript import sessions as chats
from whence.chat.transcript.contexts import PartRead
from whence.chat.transcript.events import announce_end
from whence.chat.transcript.views import Answer, Cited
from whence.kernel.ids import new_id
from whence.records import attachments, store
from whence.tenancy.principal import Principal

MARKER = "zanzibarite"
_STATUS = text("SELECT status FROM whence.work WHERE id = :id")
TABLES = """
    SELECT n.nspname || '.' || c.relname
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND n.nspname NOT LIKE 'pg\\_%' ORDER BY 1
"""


def tables_with(database_url: str, word: str = MARKER) -> list[str]:
    """Every table of the database in which some row's text holds the word (bytes as hex too)."""
    patterns = [f"%{form}%" for form in (word, word.encode().hex())]
    with psycopg.connect(database_url) as admin:
        tables = [name for (name,) in admin.execute(TABLES.encode())]
        query = "SELECT EXISTS (SELECT FROM {} t WHERE t::text ILIKE ANY (%s))"
        return [
            name
            for name in tables
            if admin.execute(query.format(name).encode(), (patterns,)).fetchone() == (True,)
        ]


async def note(platform: Any, title: str, body: str, external_id: str | None = None) -> UUID:
    kind, who = platform.kind("notes"), platform.owner
    async with platform.unit(who) as session:
        record = kind.record(title=title, text=body)
        return (await store.create(session, who, kind, record, external_id)).id


async def researched(platform: Any, record: UUID, flow: str = "research") -> UUID:
    """A run of the record that has ended well."""
    kind, who = platform.kind("notes"), platform.owner
    async with platform.unit(who) as session:
        run = await platform.ask(session, who, kind, record, flow=flow)
    await ended(platform, run.id)
    return run.id


async def ended(platform: Any, work_id: UUID) -> None:
    async with asyncio.timeout(60):
        state = ""
        while state != "success":
            await asyncio.sleep(0.05)
            async with platform.unit(platform.owner) as session:
                state = await session.scalar(_STATUS, {"id": work_id}) or ""


async def talked(
    platform: Any, who: Principal, question: str, answer: str, cited: Sequence[UUID] = ()
) -> UUID:
    """A conversation about no record, with one question and its answer."""
    citations = [
        Cited(number=number, kind="evidence", title="A page", snippet=f"{MARKER}s", id=each)
        for number, each in enumerate(cited, 1)
    ]
    async with platform.unit(who) as session:
        chat = await chats.open_session(session, who, None, None)
    async with platform.unit(who) as session:
        turn = await messages.begin_turn(session, who, chat.id, question, str(new_id()), 60)
    async with platform.unit(who) as session:
        end = Answer(answer, citations=citations)
        message = await messages.end_turn(session, chat.id, turn.turn_id, end, "complete")
        read = [PartRead("The page", [question, *(each.snippet for each in citations)])]
        await contexts.store(session, message, None, read)
        await announce_end(session, message, "complete")
    return chat.id


async def texts_of(platform: Any, chat: UUID) -> list[str]:
    async with platform.unit(platform.owner) as session:
        rows = await messages.rows.current_messages(session, chat, before=100, limit=100)
        return [row.content for row in rows]


async def photographed_item(platform: Any, name: str) -> tuple[UUID, str, bytes]:
    """An item with a photograph; its id, the file's digest and content."""
    kind, who = platform.kind("items"), platform.owner
    out = io.BytesIO()
    Image.new("RGB", (40, 30), "teal").save(out, "PNG")
    async with (
        platform.files.spool.receive(_in_one_part(out.getvalue())) as spooled,
        platform.unit(who) as session,
    ):
        row = await store.create(session, who, kind, kind.record(title="A lamp"))
        _, digest = await attachments.attach(session, who, kind, row, platform.files, name, spooled)
    return row.id, digest, out.getvalue()


async def _in_one_part(content: bytes) -> AsyncIterator[bytes]:
    yield content
