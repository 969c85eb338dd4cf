"""Start the watchdog, which starts (or adopts) the server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from whence.db.embedded.account import Account
from whence.db.embedded.errors import ServerNotStarting, naming_the_fix
from whence.db.embedded.layout import Layout
from whence.db.embedded.locks import try_exclusive

_DETACH_SECONDS = 20.0
"""Time for the bare interpreter to start and detach; 0.02 s is usual."""


def launch(
    layout: Layout,
    account: Account | None,
    env: dict[str, str],
    *,
    keep_seconds: float,
    command: list[str],
    server_lock: int,
) -> None:
    """Start `command` as the server of this home, under a new watchdog.

    Both inherit `server_lock`; the caller must close its own copy. Raises ServerNotStarting.
    """
    who = f"{account.uid}:{account.gid}" if account else "-"
    watch_lock = try_exclusive(layout.watch_lock)
    if watch_lock is None:
        raise ServerNotStarting(
            f"The watchdog of an earlier server is still running (it holds {layout.watch_lock}). "
            "End that process and try again."
        )
    locks = (server_lock, watch_lock)
    _run(layout, env, keep_seconds, who=[who, "0"], locks=locks, command=command)


def adopt(layout: Layout, env: dict[str, str], *, keep_seconds: float, pid: int) -> None:
    """Start a watchdog for the running server `pid` unless it has one."""
    watch_lock = try_exclusive(layout.watch_lock)
    if watch_lock is not None:
        _run(layout, env, keep_seconds, who=["-", str(pid)], locks=(-1, watch_lock), command=[])


def log_size(layout: Layout) -> int:
    """The size of the log, in bytes."""
    return layout.log.stat().st_size if layout.log.exists() else 0


def log_since(layout: Layout, start: int) -> str:
    """The log's text from byte `start` on."""
    if not layout.log.exists():
        return ""
    with layout.log.open("rb") as log:
        log.seek(start)
        return log.read().decode(errors="replace")


def _run(
    layout: Layout,
    env: dict[str, str],
    keep_seconds: float,
    *,
    who: list[str],
    locks: tuple[int, int],
    command: list[str],
) -> None:
    script = Path(__file__).with_name("watch.py")
    numbers = [str(lock) for lock in locks]
    arguments = [str(layout.folder), str(keep_seconds), *who, *numbers, "--", *command]
    with naming_the_fix(layout.folder):
        log = os.open(layout.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        watch = subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", str(script), *arguments],
            env=env,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=tuple(lock for lock in locks if lock >= 0),
            start_new_session=True,
            umask=0o077,
        )
        watch.wait(_DETACH_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ServerNotStarting(
            f"The watchdog of the embedded database does not start ({error})."
        ) from error
    finally:
        os.close(log)
        os.close(locks[1])
