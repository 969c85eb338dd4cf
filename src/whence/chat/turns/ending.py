"""Ends a turn: stores the answer, frees the conversation, notifies readers, in one transaction."""

from __future__ import annotations

import asyncio

from whence.chat.transcript import contexts, messages
from whence.chat.transcript.event_types import ChatError
from whence.chat.transcript.events import announce_end, prune_tokens
from whence.chat.transcript.views import FinalStatus
from whence.chat.turns.turn import Turn
from whence.db.failures import DatabaseBusy
from whence.events import log
from whence.kernel.log import get
from whence.kernel.retry import retry

FORGET_SECONDS = 10.0
"""How long the tokens of a stored answer stay available to readers that lag a little."""
_log = get("chat.ending")


async def end(turn: Turn, status: FinalStatus) -> None:
    """Store the answer so far with this status.

    Events that readers have not received are sent first.  Raises StaleTurn, and stores nothing, if
    somebody else has ended the turn.
    """
    answer, trouble = turn.answer(), turn.draft.trouble
    unsent = await turn.live.take(turn.key.turn_id)

    async def store_answer() -> list[log.Event]:
        async with turn.deps.db.unit(turn.who.org_id) as session:
            message = await messages.end_turn(
                session, turn.session_id, turn.key.turn_id, answer, status
            )
            draft = turn.draft
            await contexts.store(session, message, draft.exchange, draft.read_by_rules)
            if trouble is None:
                return await announce_end(session, message, status, *unsent)
            error = ChatError(message_id=message.id, error=trouble.error, message=trouble.message)
            return await announce_end(session, message, status, *unsent, error)

    with turn.deps.bus.writing([turn.session_id]):
        events = await retry(store_answer)
        turn.deps.bus.wrote(turn.who.org_id, turn.session_id, events)
    turn.draft.last_seq = events[-1].seq


async def forget_soon(turn: Turn) -> None:
    """Remove the tokens after a while, or at once when the process stops.

    A reader in another process who lags behind that gets a gap and then the whole answer.
    """
    try:
        await asyncio.sleep(FORGET_SECONDS)
    finally:
        try:
            await forget_tokens(turn)
        except DatabaseBusy as error:
            _log.warning("the tokens of an answer stay until the next turn", error=error.message)


async def forget_tokens(turn: Turn) -> None:
    """Remove the tokens of an answer that is stored in full."""
    if (last := turn.draft.last_seq) is not None:
        await prune_tokens(turn.deps.db, turn.who.org_id, turn.session_id, last)
