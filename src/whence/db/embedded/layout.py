"""The files of an embedded server, inside the home folder.

HOME/postgres/            ours; nothing outside it is changed (see `Layout.of` for root)
    data/                 the cluster; belongs to the server's account
    run/                  the socket, unless the path is too long for one
    tmp/                  the server's account may write here
    software/             a copy of the binaries, where the account cannot see the wheel's
    password              of the superuser, readable by our user only
    whence_app.password   of the application's role, readable by our user only
    server.log            the server's output (server.log.1: the older half)
    start.lock            held while a process starts or stops the server
    users.lock            shared by every process that uses the server
    server.lock           held by the postgres processes, which inherit it
    watch.lock            held by the watchdog
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

PORT = 5432
"""Part of the socket's name only: the server listens on no network address."""

SOCKET_PATH_BYTES = 107
"""Longest path of a unix socket on Linux (`sun_path` is 108 bytes with its final NUL)."""

SHORT_BASE = Path("/tmp")
"""Parent of the private socket folder of a home whose path is too long. Not `$TMPDIR`, because all
processes of one user must derive the same name."""

OPEN_BASE = Path("/var/lib/whence/homes")
"""Where root puts the databases of homes that the server's account may not enter."""

_PLAIN = re.compile(r"[A-Za-z0-9._/+~@ -]*")
"""Paths that need no quoting in libpq (comma, colon) or in the server's list settings."""


@dataclass(frozen=True)
class Layout:
    """The files of the embedded server of `home` (an absolute path)."""

    home: Path

    @classmethod
    def of(cls, home: Path) -> Layout:
        """The layout of `home`; symbolic links are resolved, so that all processes agree.

        Root's server runs under another account.  If that account may not enter the home (as after
        `mktemp -d`), the home keeps its mode and the database goes under `OPEN_BASE`, into a folder
        named after the home.
        """
        place = home.expanduser().resolve()
        if os.geteuid() == 0 and not _open_to_others(place):
            key = hashlib.sha256(os.fsencode(place)).hexdigest()[:16]
            place = OPEN_BASE / key
        return cls(place)

    @property
    def folder(self) -> Path:
        return self.home / "postgres"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def pid_file(self) -> Path:
        return self.data / "postmaster.pid"

    @property
    def tmp(self) -> Path:
        return self.folder / "tmp"

    @property
    def software(self) -> Path:
        return self.folder / "software"

    @property
    def password(self) -> Path:
        return self.folder / "password"

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    @property
    def start_lock(self) -> Path:
        return self.folder / "start.lock"

    @property
    def users_lock(self) -> Path:
        return self.folder / "users.lock"

    @property
    def server_lock(self) -> Path:
        return self.folder / "server.lock"

    @property
    def watch_lock(self) -> Path:
        return self.folder / "watch.lock"

    @property
    def socket_dir(self) -> Path:
        """`run/` in the home, or a short private folder if that path is too long for a socket."""
        inside = self.folder / "run"
        if socket_fits(inside):
            return inside
        key = f"{os.geteuid()}:{self.home}".encode(errors="surrogateescape")
        return SHORT_BASE / f"whence-{os.geteuid()}-{hashlib.sha256(key).hexdigest()[:12]}"


def socket_fits(folder: Path) -> bool:
    """Whether a server can listen in `folder`, and every client can write its path."""
    path = str(folder / f".s.PGSQL.{PORT}")
    return len(os.fsencode(path)) <= SOCKET_PATH_BYTES and _PLAIN.fullmatch(path) is not None


def _open_to_others(place: Path) -> bool:
    """Whether all of root's folders on the way to `place` let other accounts in.

    Stops at a folder of another user or at a file: `prepare_home` refuses those.
    """
    for folder in (place, *place.parents):
        try:
            status = folder.stat()
        except (FileNotFoundError, NotADirectoryError):
            continue
        closed = stat.S_ISDIR(status.st_mode) and not status.st_mode & stat.S_IXOTH
        if closed and status.st_uid == 0:
            return False
    return True
