"""Locks between processes that are released when a process dies.

All of them use `flock`: the kernel releases the lock when the last process that has the file open
ends, for whatever reason. A lock belongs to the open file, so a child process that inherits the
descriptor holds it too; this is how the postgres processes hold `server.lock`.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from whence.db.embedded.errors import ServerNotStarting

START_WAIT_SECONDS = 180.0
"""Longest wait for another process to start or stop the server; crash recovery is slow."""

_POLL_SECONDS = 0.01


def try_exclusive(path: Path) -> int | None:
    """A descriptor that locks `path` exclusively, or None if another process holds it."""
    descriptor = _open(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def shared(path: Path) -> int:
    """A descriptor that holds a shared lock on `path`."""
    descriptor = _open(path)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


def is_held(path: Path) -> bool:
    """Whether any process holds `path`."""
    descriptor = try_exclusive(path)
    if descriptor is None:
        return True
    os.close(descriptor)
    return False


@contextmanager
def exclusive(path: Path, *, seconds: float = START_WAIT_SECONDS) -> Generator[None]:
    """Hold `path` exclusively; wait at most `seconds` for it.

    Raises ServerNotStarting if another process holds it for longer.
    """
    deadline = time.monotonic() + seconds
    while (descriptor := try_exclusive(path)) is None:
        if time.monotonic() > deadline:
            raise ServerNotStarting(
                f"Another process has been starting or stopping the embedded database for more "
                f"than {seconds:.0f} s (it holds {path}). End that process and try again."
            )
        time.sleep(_POLL_SECONDS)
    try:
        yield
    finally:
        os.close(descriptor)


def _open(path: Path) -> int:
    # Not inheritable (PEP 446): programs that our process starts must not hold the lock.
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
