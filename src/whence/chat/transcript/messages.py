"""Turns of a conversation: a message and its answer, one at a time, each exactly once.

The writer of an answer holds the session's turn under a lease by the database's clock, and renews
it.  All of this happens under the session's row lock, so that ordinals have no gaps and concurrent
sends, from any process, see each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic_core import PydanticSerializationError, to_json
from sqlalchemy import select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.transcript import rows, search
from whence.chat.transcript.editing import supersede_branch
from whence.chat.transcript.sessions import get, may_talk, title_of
from whence.chat.transcript.tables import ChatMessage, ChatSession
from whence.chat.transcript.views import Answer, FinalStatus
from whence.kernel.clock import now
from whence.kernel.errors import Conflict, Invalid, NotFound
from whence.kernel.ids import new_id
from whence.tenancy.principal import Principal

CONTENT_LIMIT = 20_000
"""Characters of a message: about ten pages, and a third of a small model's window."""
INPUT_LIMIT = 60_000
"""Bytes of JSON sent with a message, such as the longest answer to a wizard's step."""
CLIENT_ID_LIMIT = 100
"""Characters of a client's own message id; a UUID has 36."""
_LEASE = text("clock_timestamp() + make_interval(secs => :lease)")


class TurnRunning(Conflict):
    """An answer is still being written in this conversation; wait for it or stop it."""


class StaleTurn(Conflict):
    """This turn has already ended; nothing more is written."""


class ReusedClientId(Conflict):
    """This clientMessageId was used for another message; give each message its own."""


class NothingToAnswer(Conflict):
    """This conversation has no message to answer again."""


@dataclass(frozen=True)
class StartedTurn:
    """A message and its answer; not `is_new`: both existed already, in whatever state."""

    user: ChatMessage
    answer: ChatMessage
    is_new: bool

    @property
    def turn_id(self) -> UUID:
        """The turn that wrote or writes the answer."""
        assert self.answer.turn_id is not None  # every answer is made by a turn
        return self.answer.turn_id


async def begin_turn(
    session: AsyncSession,
    who: Principal,
    session_id: UUID,
    content: str,
    client_message_id: str,
    lease_seconds: float,
    *,
    meta: Mapping[str, Any] | None = None,
) -> StartedTurn:
    """Store a message and start its answer; a message sent again is found, not repeated.

    `meta` belongs to the message, such as wizard input; only with it may `content` be empty.  One
    that names a message it replaces supersedes that branch.  Raises NotFound, EditedBefore,
    MayNotTalk, Invalid, ReusedClientId, and TurnRunning.
    """
    may_talk(who)
    _check(content, client_message_id, meta)
    chat_session = await _lock_session(session, who, session_id)
    if await rows.was_sent(session, session_id, client_message_id):
        return await _resent(session, session_id, content, client_message_id, dict(meta or {}))
    if chat_session.turn_id is not None:
        raise TurnRunning(turn_id=chat_session.turn_id)
    turn_id, at, ordinal = new_id(), now(), chat_session.message_count + 1
    user = rows.new(
        session_id,
        ordinal,
        "user",
        "complete",
        at,
        id=new_id(),
        content=content,
        client_message_id=client_message_id,
        turn_id=turn_id,
        meta=dict(meta or {}),
        completed_at=at,
    )
    answer_fields = {"id": new_id(), "turn_id": turn_id, "reply_to": user.id}
    answer = rows.new(session_id, ordinal + 1, "assistant", "streaming", now(), **answer_fields)
    await rows.begin(session, user, answer, chat_session.title or title_of(content), lease_seconds)
    await supersede_branch(session, user)
    await search.put(session, who.user_id, {user.id: content})
    return StartedTurn(user, answer, is_new=True)


async def begin_again(
    session: AsyncSession, who: Principal, session_id: UUID, lease_seconds: float
) -> StartedTurn:
    """Start a new answer to the last message; the old answer is kept as superseded.

    Raises NotFound, MayNotTalk, TurnRunning, and NothingToAnswer.
    """
    may_talk(who)
    chat_session = await get(session, who, session_id, to_change=True)
    if chat_session.turn_id is not None:
        raise TurnRunning(turn_id=chat_session.turn_id)
    row = ChatMessage
    last = select(row).where(row.session_id == session_id, row.role == "user")
    user = (await session.scalars(last.order_by(row.ordinal.desc()).limit(1))).one_or_none()
    if user is None:
        raise NothingToAnswer
    old = await _answer_to(session, user)
    answer = _new_answer(chat_session, user, new_id(), chat_session.message_count + 1)
    old.superseded_by = answer.id
    session.add(answer)
    assert answer.turn_id is not None
    await _claim_turn(session, chat_session, answer.turn_id, lease_seconds)
    return StartedTurn(user, answer, is_new=True)


async def renew(
    session: AsyncSession, session_id: UUID, turn_id: UUID, lease_seconds: float
) -> None:
    """Remain the turn's writer for `lease_seconds` from now.

    Raises StaleTurn if the turn has ended: stop writing.
    """
    if not await rows.renew(session, session_id, turn_id, lease_seconds):
        raise StaleTurn


async def end_turn(
    session: AsyncSession, session_id: UUID, turn_id: UUID, answer: Answer, status: FinalStatus
) -> ChatMessage:
    """Store a turn's answer and free the session for the next message.

    Raises StaleTurn, and stores nothing, if somebody else has ended the turn.
    """
    stored = await rows.end(session, session_id, turn_id, answer, status)
    if stored is None:
        raise StaleTurn
    message, owner = stored
    await search.put(session, owner, {message.id: message.content})
    return message


async def post_notice(
    session: AsyncSession, session_id: UUID, key: str, answer: Answer
) -> ChatMessage | None:
    """Post a notice of the program itself, once per `key`, even while a turn is running.

    None if it was posted already or the conversation is gone.
    """
    query = select(ChatSession).where(
        ChatSession.id == session_id, ChatSession.deleted_at.is_(None)
    )
    locked = query.with_for_update().execution_options(populate_existing=True)
    chat_session = (await session.scalars(locked)).one_or_none()
    if chat_session is None or await _find_sent(session, session_id, key, role="notice"):
        return None
    at = now()
    notice = ChatMessage(
        id=new_id(),
        session_id=session_id,
        ordinal=chat_session.message_count + 1,
        role="notice",
        client_message_id=key,
        status="complete",
        created_at=at,
        completed_at=at,
        **answer.columns(),
    )
    session.add(notice)
    chat_session.message_count += 1
    chat_session.updated_at = at
    await search.put(session, chat_session.user_id, {notice.id: notice.content})
    return notice


def _check(content: str, client_message_id: str, meta: Mapping[str, Any] | None) -> None:
    if not content.strip() and not meta:
        raise Invalid("The message is empty; write something.")
    if meta and (size := _size(meta)) > INPUT_LIMIT:
        raise Invalid(
            f"The input sent with the message has {size} bytes; the limit is {INPUT_LIMIT}."
        )
    if len(content) > CONTENT_LIMIT:
        raise Invalid(f"The message has {len(content)} characters; the limit is {CONTENT_LIMIT}.")
    if not 0 < len(client_message_id) <= CLIENT_ID_LIMIT:
        raise Invalid(f"clientMessageId must have 1 to {CLIENT_ID_LIMIT} characters.")


def _size(meta: Mapping[str, Any]) -> int:
    try:
        return len(to_json(meta))
    except PydanticSerializationError as error:
        raise Invalid(
            "The input sent with the message is nested too deeply or is not valid Unicode."
        ) from error


def _new_answer(
    chat_session: ChatSession, user: ChatMessage, turn_id: UUID, ordinal: int
) -> ChatMessage:
    return ChatMessage(
        id=new_id(),
        session_id=chat_session.id,
        ordinal=ordinal,
        role="assistant",
        content="",
        turn_id=turn_id,
        reply_to=user.id,
        status="streaming",
        created_at=now(),
    )


async def _claim_turn(
    session: AsyncSession, chat_session: ChatSession, turn_id: UUID, lease_seconds: float
) -> None:
    """Write the new answer and make its turn the session's current one."""
    await session.flush()
    claim = (
        update(ChatSession)
        .where(ChatSession.id == chat_session.id)
        .values(
            turn_id=turn_id,
            turn_lease=_LEASE.bindparams(lease=lease_seconds),
            message_count=ChatSession.message_count + 1,
            updated_at=now(),
        )
    )
    await session.execute(claim, execution_options={"synchronize_session": False})
    await session.refresh(chat_session)


async def _lock_session(
    session: AsyncSession, who: Principal, session_id: UUID
) -> rows.LockedSession:
    chat_session = await rows.lock_session(session, session_id, who.user_id)
    if chat_session is None or chat_session.lease_expired:
        await get(session, who, session_id, to_change=True)
        chat_session = await rows.lock_session(session, session_id, who.user_id)
    assert chat_session is not None  # locked since before the second read
    return chat_session


async def _resent(
    session: AsyncSession, session_id: UUID, content: str, client_id: str, meta: dict[str, Any]
) -> StartedTurn:
    """The message that was sent under this id before, with its answer."""
    earlier = await _find_sent(session, session_id, client_id)
    assert earlier is not None  # no message disappears while its conversation is locked
    if (earlier.content, earlier.meta) != (content, meta):
        raise ReusedClientId
    return StartedTurn(earlier, await _answer_to(session, earlier), is_new=False)


async def _find_sent(
    session: AsyncSession, session_id: UUID, client_message_id: str, role: str = "user"
) -> ChatMessage | None:
    query = select(ChatMessage).where(
        ChatMessage.session_id == session_id,
        ChatMessage.role == role,
        ChatMessage.client_message_id == client_message_id,
    )
    return (await session.scalars(query)).one_or_none()


async def _answer_to(session: AsyncSession, user: ChatMessage) -> ChatMessage:
    """The current answer: the last one."""
    row = ChatMessage
    query = select(row).where(row.session_id == user.session_id, row.reply_to == user.id)
    answer = (await session.scalars(query.order_by(row.ordinal.desc()).limit(1))).one_or_none()
    if answer is None:
        raise NotFound("This message has no answer.")
    return answer
