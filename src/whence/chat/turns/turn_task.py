"""The task of one turn: runs its flow until the flow ends or the turn is asked to end.

The flow is a task of its own.  The code that stores the end of the turn is never cancelled, so a
second stop request cannot interrupt the first one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from whence.chat.model.failure_notice import FAILED_TEXT
from whence.chat.transcript.events import INTERRUPTED_NOTICE
from whence.chat.transcript.messages import StaleTurn
from whence.chat.transcript.views import FinalStatus
from whence.chat.turns.ending import end
from whence.chat.turns.turn import Trouble, Turn
from whence.kernel.errors import Unavailable, WhenceError
from whence.kernel.log import get

CANCEL_RETRY_SECONDS = 2.0
"""A flow still running this long after it was cancelled is cancelled again: a library may swallow
a cancellation."""
CANCEL_ATTEMPTS = 4
"""How often a flow is cancelled before the turn ends without waiting for it."""
_log = get("chat.turns")


class TurnTask:
    """One running turn of this process."""

    def __init__(self, turn: Turn, flow: Coroutine[Any, Any, Any]) -> None:
        self.turn = turn
        self._flow = asyncio.create_task(flow, name=f"flow-{turn.key.turn_id}")
        self._requested_status: asyncio.Future[FinalStatus | None] = (
            asyncio.get_running_loop().create_future()
        )

    def end_with(self, status: FinalStatus | None) -> None:
        """End the turn with this status; None: somebody else has ended it.  The first call wins."""
        if not self._requested_status.done():
            self._requested_status.set_result(status)

    async def run(self) -> None:
        """Run the turn to its end, whatever that is; a turn ended by somebody else is dropped."""
        try:
            await asyncio.wait(
                {self._flow, self._requested_status}, return_when=asyncio.FIRST_COMPLETED
            )
            if self._flow.done():
                status = self._outcome()
            else:
                status = self._requested_status.result()
                await self._cancel_flow()
            if status == "interrupted":
                self.turn.draft.trouble = Trouble("Interrupted", INTERRUPTED_NOTICE)
            if status:
                await self._finish(status)
        finally:
            self._flow.cancel()

    def _outcome(self) -> FinalStatus | None:
        """The status to end the turn with after its flow is done; None if it has ended already."""
        error = None if self._flow.cancelled() else self._flow.exception()
        draft, turn_id = self.turn.draft, str(self.turn.key.turn_id)
        match error:
            case None:
                return None
            case StaleTurn():
                _log.warning("a turn was ended by somebody else", turn=turn_id)
                return None
            case WhenceError():
                message = FAILED_TEXT if isinstance(error, Unavailable) else error.message
                draft.trouble = Trouble(type(error).__name__, message)
            case Exception():
                _log.error("a turn failed", turn=turn_id, exc_info=error)
                draft.trouble = Trouble("Unexpected", FAILED_TEXT)
            case _:
                raise error
        return "failed"

    async def _cancel_flow(self) -> None:
        """Cancel the flow until it stops, or abandon it: a person is waiting."""
        for _ in range(CANCEL_ATTEMPTS):
            self._flow.cancel()
            await asyncio.wait({self._flow}, timeout=CANCEL_RETRY_SECONDS)
            if self._flow.done():
                break
        if not self._flow.done():
            _log.error("a turn's flow does not stop", turn=str(self.turn.key.turn_id))
        elif not self._flow.cancelled():
            self._flow.exception()  # retrieve the exception; how the turn ends is settled already

    async def _finish(self, status: FinalStatus) -> None:
        """Store the end of a turn that did not complete its `respond` node."""
        if self.turn.draft.last_seq is not None:
            return
        try:
            await end(self.turn, status)
        except StaleTurn:
            turn_id = str(self.turn.key.turn_id)
            _log.warning("a turn was ended by somebody else", turn=turn_id)
