"""A sent message in another wording: the conversation goes on from it, the old branch stays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.transcript.tables import ChatMessage
from whence.kernel.errors import Conflict, Invalid, NotFound

REPLACES = "replaces"
"""In a message's `meta`: the message that it is another wording of."""
WIZARD_INPUT = "wizardInput"
_SUPERSEDE = text("""
    UPDATE whence.chat_messages SET superseded_by = :newer
    WHERE session_id = :session AND ordinal >= :first AND ordinal < :before
        AND superseded_by IS NULL
""")


class EditedBefore(Conflict):
    """This message was edited before; edit its newest wording."""


def meta_of(wizard_input: Mapping[str, Any] | None, replaces: UUID | None) -> dict[str, Any]:
    """What is stored with a message beside its text."""
    meta: dict[str, Any] = {}
    if wizard_input is not None:
        meta[WIZARD_INPUT] = dict(wizard_input)
    if replaces is not None:
        meta[REPLACES] = str(replaces)
    return meta


async def supersede_branch(session: AsyncSession, newer: ChatMessage) -> None:
    """Let a stored message replace the one that its `meta` names, with all that followed it.

    Without such an entry nothing changes.  Raises NotFound, EditedBefore, and Invalid for an empty
    message.
    """
    replaced_id = newer.meta.get(REPLACES)
    if replaced_id is None:
        return
    if not newer.content.strip():
        raise Invalid("The message is empty; write something.")
    query = select(ChatMessage.ordinal, ChatMessage.superseded_by).where(
        ChatMessage.session_id == newer.session_id,
        ChatMessage.id == UUID(replaced_id),
        ChatMessage.role == "user",
        ChatMessage.ordinal < newer.ordinal,
    )
    replaced = (await session.execute(query)).one_or_none()
    if replaced is None:
        raise NotFound("There is no such message of yours in this conversation.")
    if replaced.superseded_by is not None:
        raise EditedBefore
    values = {
        "newer": newer.id,
        "session": newer.session_id,
        "first": replaced.ordinal,
        "before": newer.ordinal,
    }
    await session.execute(_SUPERSEDE, values)
