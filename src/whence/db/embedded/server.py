"""The embedded server's public interface: start, url, release."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from whence.db.embedded import launch, probe
from whence.db.embedded.account import require_reachable, server_account
from whence.db.embedded.binaries import installed_binaries, reachable_binaries
from whence.db.embedded.cluster import DATABASE, SUPERUSER, ensure_cluster, read_password
from whence.db.embedded.configuration import clean_environment, server_arguments
from whence.db.embedded.errors import (
    ForeignData,
    ServerNotStarting,
    failed_start,
    naming_the_fix,
)
from whence.db.embedded.folders import (
    prepare_home,
    prepare_server_folders,
    remove_short_socket_dir,
)
from whence.db.embedded.layout import PORT, Layout
from whence.db.embedded.locks import exclusive, is_held, shared, try_exclusive
from whence.db.embedded.processes import (
    end_leftovers,
    end_sessions,
    postmaster,
    prune,
    stop_server,
)

KEEP_SECONDS = 5.0
"""How long the watchdog keeps the server after all its users were killed: one may restart."""

READY_SECONDS = 120.0
"""Time limit of a start: recovery after a crash replays up to `max_wal_size`."""

ORPHAN_SECONDS = 2.0
"""Time for the children of a killed postmaster to notice and end."""

WATCH_SECONDS = 5.0
"""Time for the watchdog to end after its server."""

_POLL_SECONDS = 0.01


@dataclass(frozen=True)
class EmbeddedServer:
    """How to reach a running server. The admin's URL holds a password, so it is not printed."""

    admin_url: str = field(repr=False)
    folder: Path
    """Its folder, which also holds its passwords."""
    socket_dir: Path
    port: int

    def url(self, role: str, password: str, database: str = DATABASE) -> str:
        """A libpq URI for `role` over the unix socket.

        For SQLAlchemy, change its scheme to `postgresql+psycopg`.
        """
        return socket_url(self.socket_dir, role, password, database)


def socket_url(socket_dir: Path, role: str, password: str, database: str) -> str:
    """A libpq URI over the unix socket in `socket_dir`, every part percent-encoded."""
    who = f"{quote(role, safe='')}:{quote(password, safe='')}"
    host = quote(str(socket_dir), safe="")
    return f"postgresql://{who}@/{quote(database, safe='')}?host={host}&port={PORT}"


class EmbeddedPostgres:
    """One process's share in the embedded server of a home folder.

    Any number of processes of one user, and of objects in one process, may share a home. All
    methods block; all are thread-safe.
    """

    def __init__(
        self,
        home: Path,
        *,
        keep_seconds: float = KEEP_SECONDS,
        extra_settings: Mapping[str, str] | None = None,
        account: str | None = None,
    ) -> None:
        """Does not start the server.

        `keep_seconds`: how long the server keeps running after all its users were killed.
        `extra_settings`: PostgreSQL settings; they take effect only if this process starts the
        server. `account`: the account under which root runs the server (default: postgres or
        nobody).
        """
        self._layout = Layout.of(home)
        self._keep_seconds = keep_seconds
        self._extra = dict(extra_settings or {})
        self._account = account
        self._mutex = threading.Lock()
        self._lease: int | None = None

    def __enter__(self) -> EmbeddedServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.release()

    def start(self) -> EmbeddedServer:
        """Return a server that answers: join a running one, start a stopped one.

        Call it again at any time, for instance when connections fail. Raises Misconfigured or
        Unavailable errors of `whence.db.embedded` that name the fix.
        """
        with self._mutex:
            prepare_home(self._layout)
            with naming_the_fix(self._layout.folder), exclusive(self._layout.start_lock):
                arrived = self._lease is None
                if self._lease is None:
                    self._lease = shared(self._layout.users_lock)
                try:
                    return self._join_or_start()
                except BaseException:  # also Ctrl-C: the lease would keep the server running
                    if arrived:
                        self._leave()
                    raise

    def release(self) -> None:
        """Stop using the server. The last user stops it, and waits until it has ended.

        Does nothing if it was not started or is already released. Raises ServerNotStopping.
        """
        with self._mutex:
            if self._lease is None:
                return
            if not self._layout.folder.exists():  # moved or deleted: its watchdog ends the server
                os.close(self._lease)
                self._lease = None
                return
            with naming_the_fix(self._layout.folder), exclusive(self._layout.start_lock):
                self._leave()

    def _leave(self) -> None:
        lease, self._lease = self._lease, None
        if lease is not None:
            os.close(lease)
        last = try_exclusive(self._layout.users_lock)
        if last is None:
            return
        try:
            stop_server(self._layout)
            deadline = time.monotonic() + WATCH_SECONDS
            while is_held(self._layout.watch_lock) and time.monotonic() < deadline:
                time.sleep(_POLL_SECONDS)
            remove_short_socket_dir(self._layout)
        finally:
            os.close(last)

    def _join_or_start(self) -> EmbeddedServer:
        layout, env = self._layout, clean_environment(self._layout)
        if self._answers():
            pid = postmaster(layout)
            if pid is not None:
                launch.adopt(layout, env, keep_seconds=self._keep_seconds, pid=pid)
            return self._server()
        claim = self._claim()
        if claim is None:
            return self._join_or_start()
        try:
            account = server_account(layout.data, self._account)
            if account:
                require_reachable(account, layout.folder, env)
            prepare_server_folders(layout, account)
            binaries = reachable_binaries(installed_binaries(), layout, account, env)
            prune(layout)
            durable = self._extra.get("fsync", "on") == "on"
            ensure_cluster(layout, binaries, account, env, claim, durable=durable)
            before = launch.log_size(layout)
            command = [str(binaries.postgres), *server_arguments(layout, self._extra)]
            launch.launch(
                layout,
                account,
                env,
                keep_seconds=self._keep_seconds,
                command=command,
                server_lock=claim,
            )
        finally:
            os.close(claim)
        self._await_ready(before)
        return self._server()

    def _claim(self) -> int | None:
        """Take the server's lock, which proves that no process of an old server is left.

        Returns None if the old server answers after all.
        """
        layout, since = self._layout, time.monotonic()
        if self._is_leaving():
            end_sessions(layout)
        while (descriptor := try_exclusive(layout.server_lock)) is None:
            waited = time.monotonic() - since
            if self._answers():
                return None
            if postmaster(layout) is None and waited > ORPHAN_SECONDS:
                end_leftovers(layout)
            elif waited > READY_SECONDS:
                raise ServerNotStarting(
                    f"The embedded database is running (process {postmaster(layout)}) but has not "
                    f"answered for {READY_SECONDS:.0f} s. Read {layout.log}, end that process "
                    "and try again."
                )
            time.sleep(_POLL_SECONDS)
        self._await_watch_gone()
        return descriptor

    def _await_watch_gone(self) -> None:
        deadline = time.monotonic() + WATCH_SECONDS
        while is_held(self._layout.watch_lock) and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)

    def _await_ready(self, log_start: int) -> None:
        layout, deadline = self._layout, time.monotonic() + READY_SECONDS
        while not self._answers():
            if not is_held(layout.server_lock) or time.monotonic() > deadline:
                words = launch.log_since(layout, log_start)
                raise failed_start(layout.folder, "The embedded database does not start", words)
            time.sleep(_POLL_SECONDS)

    def _answers(self) -> bool:
        layout = self._layout
        socket = layout.socket_dir / f".s.PGSQL.{PORT}"
        if not (socket.exists() and layout.data.exists()):
            return False
        match probe.ask(self._server().admin_url):
            case probe.Answer.READY:
                return True
            case probe.Answer.NO_DATABASE:
                password = read_password(layout)
                url = socket_url(layout.socket_dir, SUPERUSER, password, "postgres")
                probe.create_database(url, DATABASE)
                return True
            case probe.Answer.REFUSED:
                raise ForeignData(
                    f"The embedded database does not accept the password in {layout.password}. "
                    "Restore that file from a backup."
                )
            case probe.Answer.LEAVING | probe.Answer.SILENT:
                return False

    def _is_leaving(self) -> bool:
        if postmaster(self._layout) is None:
            return False
        return probe.ask(self._server().admin_url) is probe.Answer.LEAVING

    def _server(self) -> EmbeddedServer:
        layout = self._layout
        url = socket_url(layout.socket_dir, SUPERUSER, read_password(layout), DATABASE)
        return EmbeddedServer(
            admin_url=url, folder=layout.folder, socket_dir=layout.socket_dir, port=PORT
        )
