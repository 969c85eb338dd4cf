"""Whether a task was cancelled, for loops that live as long as their process.

If a query loses its connection while it is being cancelled, it raises the database's error instead
of the cancellation; a loop that catches only the error would never end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable


def is_stopping() -> bool:
    """Whether the current task was cancelled, even if another error hid the cancellation."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def stop_if_cancelled() -> None:
    """Raise the cancellation that an error hid."""
    if is_stopping():
        raise asyncio.CancelledError


def lost_cancellation() -> Callable[[], None]:
    """A check that raises the cancellation which reached the current task since this call.

    For libraries that lose a cancellation: `asyncio.wait_for` of Python 3.11 returns its result if
    both happen at once (fixed in 3.12, gh-86296), and a query that is interrupted twice raises the
    database's error.
    """
    task = asyncio.current_task()
    before = task.cancelling() if task else 0

    def check() -> None:
        if task is not None and task.cancelling() > before:
            raise asyncio.CancelledError

    return check
