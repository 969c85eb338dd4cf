"""Whether a task was told to stop, for loops that live as long as their process.

A query that is cut off while it is cancelled raises the database's error in place of the
cancellation; a loop that only caught the error would then never end.
"""

from __future__ import annotations

import asyncio


def is_stopping() -> bool:
    """Whether the current task was cancelled, also where an error on the way out hid it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def stop_if_told() -> None:
    """Raise the cancellation that an error hid."""
    if is_stopping():
        raise asyncio.CancelledError
