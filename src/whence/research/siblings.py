"""Nodes of one run that work side by side: how many at once, and what one's failure means.

LangGraph cancels the siblings of a node that raises.  Their work may be paid for, so a node that
fails waits with its error until the results of its siblings are saved, for a limited time, and no
further one begins.  LangGraph's own `max_concurrency` would not do: it makes the saving of a result
wait behind the nodes that have not begun, and a worker that dies meanwhile loses it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from whence.kernel.errors import BudgetExceeded, StaleAttempt, Unavailable, WhenceError
from whence.research.questions import PersonAsked

SIBLING_SECONDS = 120.0
"""Longest that a node's failure waits for its siblings: two calls of a slow model.  What takes
longer is stopped, and done again when the run continues."""


class Siblings:
    """The nodes of one attempt that are under way, by LangGraph's id of their task."""

    def __init__(self, most: int) -> None:
        """At most so many nodes work at once."""
        self._slots = asyncio.Semaphore(most)
        self._open: set[str] = set()
        self._failures: list[Exception] = []
        self._quiet = asyncio.Event()

    @asynccontextmanager
    async def turn(self, task: str) -> AsyncGenerator[None]:
        """A node's turn.  Its error leaves this once its siblings are through; a result counts as
        under way until it is `saved`.
        """
        async with self._slots:
            if self._failures:
                await asyncio.Event().wait()  # LangGraph cancels it with the error that is due
            self._open.add(task)
            self._quiet.clear()
            try:
                yield
            except Exception as error:
                self.saved(task)
                self._failures.append(error)
                if not isinstance(error, StaleAttempt | BudgetExceeded):
                    await self._others()
                raise
            except BaseException:
                self.saved(task)
                raise

    def saved(self, task: str) -> None:
        """This task is over, and its result is saved where it has one."""
        self._open.discard(task)
        if not self._open:
            self._quiet.set()

    def decisive(self, error: Exception) -> Exception:
        """Of the errors that ended the attempt, the one that says how the run continues."""
        return min([*self._failures, error], key=_rank)

    async def _others(self) -> None:
        try:
            async with asyncio.timeout(SIBLING_SECONDS):
                if self._open:
                    await self._quiet.wait()
        except TimeoutError:
            return


def _rank(error: Exception) -> int:
    """What ends a run comes first, then what a person can do, then what is tried again."""
    match error:
        case StaleAttempt():
            return 0
        case BudgetExceeded():
            return 1
        case PersonAsked():
            return 3
        case Unavailable():
            return 5
        case WhenceError():
            return 2
        case _:
            return 4
