"""What an answer was written from, kept for a while: a model's exchange, or what rules read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.transcript.tables import ChatMessage
from whence.db import statements
from whence.db.statements import storable
from whence.kernel.clock import now
from whence.kernel.errors import NotFound
from whence.work.budget import Exchange, SentMessage

_STORE = """
    INSERT INTO whence.turn_contexts (message_id, session_id, model, rules, at)
    VALUES (%(message)s, %(session)s, %(model)s, %(rules)s, %(at)s)
"""
_READ = """
    SELECT c.model, c.rules FROM whence.chat_messages m
    LEFT JOIN whence.turn_contexts c ON c.org_id = m.org_id AND c.message_id = m.id
    WHERE m.session_id = %(session)s AND m.id = %(message)s AND m.role = 'assistant'
"""


@dataclass(frozen=True)
class PartRead:
    """One part of what rules read, such as the record's fields or its evidence."""

    title: str
    entries: Sequence[str]
    left_out: int = 0
    """Entries that rules read too and that are not kept, as they are too many."""


@dataclass(frozen=True)
class AnswerContext:
    """What an answer was written from; both None: it is not kept, or no longer."""

    model: Exchange | None = None
    rules: Sequence[PartRead] | None = None
    """Beside a model's exchange: the model gave no answer, and rules did."""


async def store(
    session: AsyncSession,
    answer: ChatMessage,
    exchange: Exchange | None,
    rules: Sequence[PartRead] | None,
) -> None:
    """Keep what the answer was written from, if there is anything to keep."""
    if exchange is None and rules is None:
        return
    values = {
        "message": answer.id,
        "session": answer.session_id,
        "model": None if exchange is None else _json(asdict(exchange)),
        "rules": None if rules is None else _json([asdict(part) for part in rules]),
        "at": now(),
    }
    await statements.rows(session, _STORE, values)


async def read(session: AsyncSession, session_id: UUID, message_id: UUID) -> AnswerContext:
    """The context of an answer of this conversation; raises NotFound if it is not one."""
    row = await statements.row(session, _READ, {"session": session_id, "message": message_id})
    if row is None:
        raise NotFound("There is no such answer in this conversation.")
    model, rules = row
    return AnswerContext(
        model=None if model is None else _exchange(model),
        rules=None if rules is None else [PartRead(**part) for part in rules],
    )


def _json(value: Any) -> object:
    return statements.as_json(storable(value))


def _exchange(stored: dict[str, Any]) -> Exchange:
    messages = tuple(SentMessage(**message) for message in stored["messages"])
    return Exchange(messages, stored["answer"], stored["is_shortened"])
