"""The postgres processes of one home, identified by the lock they hold, not by their pid alone.

A pid file can outlive its server, and its number may meanwhile belong to another process. A process
is ours if it has our `server.lock` open, which it inherited from us.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import psutil

from whence.db.embedded.errors import ServerNotStopping
from whence.db.embedded.layout import Layout
from whence.db.embedded.locks import is_held

FAST_SECONDS = 20.0
"""Time for a fast shutdown (ends the sessions, writes a checkpoint)."""
IMMEDIATE_SECONDS = 5.0
"""Time for an immediate shutdown (no checkpoint; recovery at the next start)."""
KILL_SECONDS = 5.0
"""Time for the kernel to remove killed processes."""
_POLL_SECONDS = 0.01


def postmaster(layout: Layout) -> int | None:
    """The pid of the running postmaster, or None; the pid file alone is not trusted."""
    try:
        pid = int(layout.pid_file.read_text("ascii").split("\n", 1)[0])
    except (OSError, ValueError):
        return None
    return pid if _holds(pid, layout.server_lock) else None


def leftovers(layout: Layout) -> list[int]:
    """The pids of all other processes that hold the server's lock."""
    return [pid for pid in psutil.pids() if pid != os.getpid() and _holds(pid, layout.server_lock)]


def stop_server(layout: Layout) -> None:
    """Stop the server, gently first; return when none of its processes is left.

    The caller holds the start lock. Raises ServerNotStopping.
    """
    pid = postmaster(layout)
    if pid is not None:
        for number, seconds in (
            (signal.SIGINT, FAST_SECONDS),
            (signal.SIGQUIT, IMMEDIATE_SECONDS),
        ):
            _send(pid, number)
            if _freed(layout.server_lock, seconds):
                return
    end_leftovers(layout)


def end_sessions(layout: Layout) -> None:
    """Make a server end that waits for its sessions, as after SIGTERM. The programs that use it do
    not end their sessions by themselves, and it accepts no new ones.
    """
    if pid := postmaster(layout):
        _send(pid, signal.SIGINT)


def end_leftovers(layout: Layout) -> None:
    """Kill processes that hold the server's lock although no postmaster is left to stop them."""
    deadline = time.monotonic() + KILL_SECONDS
    while not _freed(layout.server_lock, _POLL_SECONDS):
        pids = leftovers(layout)
        for pid in pids:
            _send(pid, signal.SIGKILL)
        if time.monotonic() > deadline:
            raise ServerNotStopping(
                f"The embedded database in {layout.folder} does not stop: it is held by processes "
                f"{pids or 'of another container or user'}. End them and try again."
            )


def prune(layout: Layout) -> None:
    """Remove the files of a dead server. The caller holds the server's lock, so none is running."""
    layout.pid_file.unlink(missing_ok=True)
    for left in layout.socket_dir.glob(".s.PGSQL.*"):
        left.unlink(missing_ok=True)


def _freed(lock: Path, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while is_held(lock):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def _holds(pid: int, lock: Path) -> bool:
    try:
        files = [Path(file.path) for file in psutil.Process(pid).open_files()]
        return any(file.name == lock.name and file.samefile(lock) for file in files)
    except (psutil.Error, OSError):
        return False


def _send(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return
