"""Search over one's own messages: each person's are a part of the index of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import select, text, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.transcript.tables import ChatMessage, ChatSession
from whence.kernel.errors import Invalid
from whence.search import index, query
from whence.search.collection import Collection
from whence.search.words import WORDS_VERSION, Slot, frequencies, slots, words
from whence.tenancy.principal import Principal

QUERY_LIMIT = 200
"""Characters of a search."""
SNIPPET_BEFORE, SNIPPET_AFTER = 60, 120
"""Characters around a match: two lines of a list."""
_OWNERS = text("""
    SELECT s.user_id, array_agg(m.id)
    FROM whence.chat_messages m JOIN whence.chat_sessions s ON s.id = m.session_id
    WHERE m.id = ANY(CAST(:messages AS uuid[])) OR m.session_id = ANY(CAST(:sessions AS uuid[]))
    GROUP BY s.user_id
""")


@dataclass(frozen=True)
class MessageMatch:
    """A message that holds all the words, and the text around the first of them."""

    message: ChatMessage
    session: ChatSession
    snippet: str


async def put(
    session: AsyncSession, owner: UUID, contents: Mapping[UUID, str], *, are_new: bool = True
) -> None:
    """Index messages, by their ids, in conversations of this person."""
    documents = {key: frequencies([content]) for key, content in contents.items() if content}
    await index.put(session, _of(owner), documents, are_new=are_new)


async def remove(
    session: AsyncSession,
    *,
    messages: Sequence[UUID | str] = (),
    sessions: Sequence[UUID | str] = (),
) -> None:
    """Take messages, and all of some conversations, out of the index before they are erased."""
    ids = {"messages": [*map(str, messages)], "sessions": [*map(str, sessions)]}
    if any(ids.values()):
        for owner, own in await session.execute(_OWNERS, ids):
            await index.remove(session, _of(owner), own)


async def search(
    session: AsyncSession,
    who: Principal,
    sought: str,
    *,
    before: tuple[datetime, UUID] | None = None,
    limit: int = 50,
) -> list[MessageMatch]:
    """One's own messages that hold all words of `sought`, the last as a beginning; newest first.

    `before` is (`created_at`, id) of the last message of the page before.  Raises Invalid.
    """
    if not sought.strip() or len(sought) > QUERY_LIMIT:
        raise Invalid(f"Search for words of 1 to {QUERY_LIMIT} characters.")
    wanted = slots(sought)
    if not wanted:
        return []
    own, row, of = _of(who.user_id), ChatMessage, ChatSession
    matching = query.matches(own, wanted, await query.ranking(session, own, wanted)).subquery()
    postings = (
        select(row, of)
        .join(matching, matching.c.document_id == row.id)
        .join(of, (of.org_id == row.org_id) & (of.id == row.session_id))
        .where(of.user_id == who.user_id, of.deleted_at.is_(None))
    )
    if before is not None:
        postings = postings.where(tuple_(row.created_at, row.id) < before)
    newest = postings.order_by(row.created_at.desc(), row.id.desc()).limit(limit)
    return [
        MessageMatch(message, its, snippet(message.content, wanted[0]))
        for message, its in await session.execute(newest)
    ]


def snippet(content: str, word: Slot) -> str:
    """The text around the first place where `word` occurs; the beginning where it does not."""
    line = " ".join(content.split())
    places = (match.span() for match in re.finditer(r"\S+", line))
    at, end = next((place for place in places if _holds(line[slice(*place)], word)), (0, 0))
    start, stop = max(0, at - SNIPPET_BEFORE), min(len(line), min(end, at + 60) + SNIPPET_AFTER)
    if start and " " in line[start:at]:
        start += line[start:at].index(" ") + 1
    if stop < len(line) and " " in line[end:stop]:
        stop = end + line[end:stop].rindex(" ")
    return ("… " if start else "") + line[start:stop] + (" …" if stop < len(line) else "")


async def _index_after(session: AsyncSession, after: UUID, limit: int) -> Sequence[UUID]:
    row, of = ChatMessage, ChatSession
    batch = (
        select(row.id, of.user_id, row.content)
        .join(of, (of.org_id == row.org_id) & (of.id == row.session_id))
        .where(row.id > after)
        .order_by(row.id)
        .limit(limit)
        .with_for_update(of=row)
    )
    rows = (await session.execute(batch)).all()
    by_owner: dict[UUID, dict[UUID, str]] = {}
    for message_id, owner, content in rows:
        by_owner.setdefault(owner, {})[message_id] = content
    for owner, contents in by_owner.items():
        await put(session, owner, contents, are_new=False)
    return [row.id for row in rows]


MESSAGES = Collection("chat.messages", f"messages, words {WORDS_VERSION}", _index_after)


def _of(owner: UUID) -> str:
    return f"{MESSAGES.name}/{owner}"


def _holds(piece: str, word: Slot) -> bool:
    return any(word.matches(term) for term in words(piece))
