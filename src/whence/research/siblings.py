"""Parallel nodes of a run: how many run at once, and what happens if one fails.

LangGraph cancels the siblings of a node that raises.  Their work may have cost money, so a failed
node holds its error back until its siblings' results are saved, for a limited time, and no further
node starts.  LangGraph's `max_concurrency` does not help: it saves a result only after the waiting
nodes have started, and a worker that dies in between loses it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from whence.kernel.errors import BudgetExceeded, StaleAttempt, Unavailable, WhenceError
from whence.research.questions import PersonAsked

SIBLING_SECONDS = 120.0
"""Longest time that a node's failure waits for its siblings: two calls of a slow model. Nodes that
take longer are stopped and run again when the run continues."""


class Siblings:
    """The active nodes of one attempt, by LangGraph's task id."""

    def __init__(self, most: int) -> None:
        """At most `most` nodes run at once."""
        self._slots = asyncio.Semaphore(most)
        self._open: set[str] = set()
        self._failures: list[Exception] = []
        self._quiet = asyncio.Event()

    @asynccontextmanager
    async def turn(self, task: str) -> AsyncGenerator[None]:
        """A node's turn.  Its error is raised once its siblings are done; a result counts as active
        until it is `saved`.
        """
        async with self._slots:
            if self._failures:
                await (
                    asyncio.Event().wait()
                )  # until LangGraph cancels it because of the decisive error
            self._open.add(task)
            self._quiet.clear()
            try:
                yield
            except Exception as error:  # a node may raise anything; it is raised again
                self.saved(task)
                self._failures.append(error)
                if not isinstance(error, StaleAttempt | BudgetExceeded):
                    await self._others()
                raise
            except BaseException:  # a node that is cancelled ends its turn, too
                self.saved(task)
                raise

    def saved(self, task: str) -> None:
        """Note that this task is over and its result, if any, is saved."""
        self._open.discard(task)
        if not self._open:
            self._quiet.set()

    def decisive(self, error: Exception) -> Exception:
        """The error, of those that ended the attempt, that decides how the run continues."""
        return min([*self._failures, error], key=_rank)

    async def _others(self) -> None:
        try:
            async with asyncio.timeout(SIBLING_SECONDS):
                if self._open:
                    await self._quiet.wait()
        except TimeoutError:
            return


def _rank(error: Exception) -> int:
    """Errors that end a run rank first, then questions to a person, then errors to retry."""
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
