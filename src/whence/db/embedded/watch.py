"""The watchdog of an embedded server: starts it, and stops it when all its users are gone.

Run by its path with the bare interpreter (`python -I -S`). It runs as long as the server and must
stay small, so it imports only a few modules of the standard library.

    watch.py FOLDER KEEP_SECONDS ACCOUNT PID SERVER_LOCK_FD WATCH_LOCK_FD -- POSTGRES ARGUMENT...

ACCOUNT is `uid:gid`, or `-` for our own. PID is the pid of a running server, or 0 to start one,
which then inherits the server's lock.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import sys
import time

POLL_SECONDS = 0.5
"""Time between two checks for users; the end of the server wakes it at once."""
FAST_SECONDS = 20.0
IMMEDIATE_SECONDS = 5.0
"""Time limits of a fast and then an immediate shutdown, as in processes.py."""
LOG_DESCRIPTOR = 2
"""stderr, ours and the server's: the log file, opened for appending."""
LOG_LIMIT_BYTES = 4 * 1024 * 1024
"""Size at which the log moves to `server.log.1`; together they stay below twice this size."""


class Watch:
    """One server, either our child process or adopted by its pid."""

    def __init__(self, folder: str, keep: float, pid: int, child: bool) -> None:
        self.folder = folder
        self.keep = keep
        self.pid = pid
        self.child = child
        self.stop_requested = False
        self.wake, end = os.pipe()
        os.set_blocking(end, False)
        signal.set_wakeup_fd(end)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, self._request_stop)
        for ignored in (signal.SIGHUP, signal.SIGINT):
            signal.signal(ignored, signal.SIG_IGN)

    def _request_stop(self, *_: object) -> None:
        self.stop_requested = True

    def run(self) -> None:
        """Watch until the server has ended."""
        unused_since: float | None = None
        while not self.gone():
            self.sleep(POLL_SECONDS)
            shorten_log(f"{self.folder}/server.log", LOG_DESCRIPTOR)
            starting = self.hold("start.lock")
            if starting is None and not self.stop_requested:
                unused_since = None  # a process is joining or leaving
                continue
            using = self.hold("users.lock")
            if using is None:
                unused_since = None
            elif unused_since is None:
                unused_since = time.monotonic()
            unused = unused_since is not None and time.monotonic() - unused_since >= self.keep
            if self.stop_requested or unused:
                self.stop()
                return
            for descriptor in (using, starting):
                if descriptor is not None:
                    os.close(descriptor)

    def stop(self) -> None:
        """Stop the server, gently first."""
        for number, seconds in (
            (signal.SIGINT, FAST_SECONDS),
            (signal.SIGQUIT, IMMEDIATE_SECONDS),
            (signal.SIGKILL, IMMEDIATE_SECONDS),
        ):
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                return
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline:
                if self.gone():
                    return
                self.sleep(0.05)

    def gone(self) -> bool:
        """Whether the server has ended."""
        if self.child:
            return os.waitpid(self.pid, os.WNOHANG)[0] == self.pid
        descriptor = self.hold("server.lock")
        if descriptor is None:
            return False
        os.close(descriptor)
        return True

    def hold(self, name: str) -> int | None:
        """A descriptor that holds the lock exclusively, or None."""
        descriptor = os.open(f"{self.folder}/{name}", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        return descriptor

    def sleep(self, seconds: float) -> None:
        """Sleep until the time is up or a signal arrives."""
        if select.select([self.wake], [], [], seconds)[0]:
            os.read(self.wake, 64)


def shorten_log(path: str, descriptor: int) -> None:
    """Move the log's text aside if it is too long; the server keeps appending to the same file."""
    try:
        if os.fstat(descriptor).st_size <= LOG_LIMIT_BYTES:
            return
        with open(path, "rb") as log, open(f"{path}.1", "wb") as older:  # noqa: PTH123
            log.seek(-LOG_LIMIT_BYTES, os.SEEK_END)
            older.write(log.read())
    except OSError:
        pass  # the disk is full: truncating the log matters even more
    os.ftruncate(descriptor, 0)


def start_server(command: list[str], account: str) -> int:
    """Start the server as a child process under `account`; returns its pid."""
    pid = os.fork()
    if pid:
        return pid
    try:
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        if account != "-":
            uid, gid = (int(part) for part in account.split(":"))
            os.setgroups([gid])
            os.setgid(gid)
            os.setuid(uid)
        os.execv(command[0], command)
    finally:
        os._exit(127)


def main(arguments: list[str]) -> None:
    """Detach from the parent process, then watch."""
    folder, keep, account, pid, server_lock, watch_lock, _, *command = arguments
    if os.fork():
        os._exit(0)
    os.set_inheritable(int(watch_lock), False)  # noqa: FBT003
    child = pid == "0"
    server = start_server(command, account) if child else int(pid)
    if child:
        os.close(int(server_lock))
    watch = Watch(folder, float(keep), server, child)
    try:
        watch.run()
    except FileNotFoundError:  # the home was deleted
        watch.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
