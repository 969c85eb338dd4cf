"""Whether a task was told to stop, for loops that live as long as their process.

A query that is cut off while it is cancelled raises the database's error in place of the
cancellation; a loop that only caught the error would then never end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable


def is_stopping() -> bool:
    """Whether the current task was cancelled, also where an error on the way out hid it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def stop_if_told() -> None:
    """Raise the cancellation that an error hid."""
    if is_stopping():
        raise asyncio.CancelledError


def lost_cancellation() -> Callable[[], None]:
    """A check that raises the cancellation which reached the current task since this call.

    For what is done by a library that loses one: `asyncio.wait_for` of Python 3.11 returns its
    result where both come at once (mended in 3.12, gh-86296), and a query that is cut off twice
    raises the database's error.
    """
    task = asyncio.current_task()
    before = task.cancelling() if task else 0

    def check() -> None:
        if task is not None and task.cancelling() > before:
            raise asyncio.CancelledError

    return check
