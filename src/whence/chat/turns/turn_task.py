"""The task of one turn: its flow until that is over, or until the turn is told to end.

The flow is a task of its own.  Who keeps the turn's end is never cancelled for it, so that a second
word to stop does not cut off the keeping of the first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from whence.chat.model.failure_notice import TROUBLE
from whence.chat.transcript.events import GONE
from whence.chat.transcript.messages import StaleTurn
from whence.chat.transcript.views import Ended
from whence.chat.turns.ending import end
from whence.chat.turns.turn import Trouble, Turn
from whence.kernel.errors import Unavailable, WhenceError
from whence.kernel.log import get

TELL_AGAIN_SECONDS = 2.0
"""A flow that was cancelled and goes on by then is cancelled again: a library may lose one."""
TELLINGS = 4
"""How often a flow is cancelled before its turn ends without it."""
_log = get("chat.turns")


class TurnTask:
    """One turn under way in this process."""

    def __init__(self, turn: Turn, flow: Coroutine[Any, Any, Any]) -> None:
        self.turn = turn
        self._flow = asyncio.create_task(flow, name=f"flow-{turn.line.turn_id}")
        self._told: asyncio.Future[Ended | None] = asyncio.get_running_loop().create_future()

    def tell(self, status: Ended | None) -> None:
        """Let it end with this status; None: somebody else has ended it.  The first word counts."""
        if not self._told.done():
            self._told.set_result(status)

    async def run(self) -> None:
        """The turn to its end, however it ends.  A turn that somebody else ended is let go."""
        try:
            await asyncio.wait({self._flow, self._told}, return_when=asyncio.FIRST_COMPLETED)
            if self._flow.done():
                status = self._outcome()
            else:
                status = self._told.result()
                await self._stopped()
            if status == "interrupted":
                self.turn.draft.trouble = Trouble("Interrupted", GONE)
            if status:
                await self._finish(status)
        finally:
            self._flow.cancel()

    def _outcome(self) -> Ended | None:
        """How a turn is to end of which the flow is over; None where it has ended."""
        error = None if self._flow.cancelled() else self._flow.exception()
        draft, turn_id = self.turn.draft, str(self.turn.line.turn_id)
        match error:
            case None:
                return None
            case StaleTurn():
                _log.warning("a turn was ended by somebody else", turn=turn_id)
                return None
            case WhenceError():
                message = TROUBLE if isinstance(error, Unavailable) else error.message
                draft.trouble = Trouble(type(error).__name__, message)
            case Exception():
                _log.error("a turn failed", turn=turn_id, exc_info=error)
                draft.trouble = Trouble("Unexpected", TROUBLE)
            case _:
                raise error
        return "failed"

    async def _stopped(self) -> None:
        """Cancel the flow until it is over, or leave it behind: a person waits for the end."""
        for _ in range(TELLINGS):
            self._flow.cancel()
            await asyncio.wait({self._flow}, timeout=TELL_AGAIN_SECONDS)
            if self._flow.done():
                break
        if not self._flow.done():
            _log.error("a turn's flow does not stop", turn=str(self.turn.line.turn_id))
        elif not self._flow.cancelled():
            self._flow.exception()  # whatever it met on its way out, its end is known

    async def _finish(self, status: Ended) -> None:
        """Keep the end of a turn that did not come to `respond`, or not through it."""
        if self.turn.draft.last_seq is not None:
            return
        try:
            await end(self.turn, status)
        except StaleTurn:
            turn_id = str(self.turn.line.turn_id)
            _log.warning("a turn was ended by somebody else", turn=turn_id)
