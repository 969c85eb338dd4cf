"""The end of a turn: its answer kept, the conversation free, its readers told; one transaction."""

from __future__ import annotations

import asyncio

from whence.chat.transcript import messages
from whence.chat.transcript.events import announce_end, forget_pieces
from whence.chat.transcript.views import Ended
from whence.chat.turns.turn import Turn
from whence.db.failures import DatabaseBusy
from whence.events import log
from whence.events.chat import ChatError
from whence.kernel.log import get
from whence.kernel.retry import retry

FORGET_SECONDS = 10.0
"""How long the pieces of a stored answer stay for readers that are a little behind."""
_log = get("chat.ending")


async def end(turn: Turn, status: Ended) -> None:
    """Keep what there is of the answer under this status.

    What readers were not told yet is told first.  Raises StaleTurn, and keeps nothing, where
    somebody else has ended the turn.
    """
    answer, trouble = turn.answer(), turn.draft.trouble
    untold = await turn.live.take(turn.line.turn_id)

    async def kept() -> list[log.Event]:
        async with turn.deps.db.unit(turn.who.org_id) as session:
            message = await messages.end_turn(
                session, turn.session_id, turn.line.turn_id, answer, status
            )
            if trouble is None:
                return await announce_end(session, message, status, *untold)
            told = ChatError(message_id=message.id, error=trouble.error, message=trouble.message)
            return await announce_end(session, message, status, *untold, told)

    with turn.deps.bus.writing([turn.session_id]):
        written = await retry(kept)
        turn.deps.bus.wrote(turn.who.org_id, turn.session_id, written)
    turn.draft.last_seq = written[-1].seq


async def forget_soon(turn: Turn) -> None:
    """Remove the pieces after a while; at once where the process stops.

    Who reads in another process, and is behind by then, gets a gap and the whole answer.
    """
    try:
        await asyncio.sleep(FORGET_SECONDS)
    finally:
        try:
            await forget_tokens(turn)
        except DatabaseBusy as error:
            _log.warning("an answer's pieces stay until the next turn", error=error.message)


async def forget_tokens(turn: Turn) -> None:
    """Remove the pieces of an answer that is stored whole."""
    if (last := turn.draft.last_seq) is not None:
        await forget_pieces(turn.deps.db, turn.who.org_id, turn.session_id, last)
