"""Where everything of one embedded server lies, inside the home folder.

HOME/postgres/            ours; nothing outside it is ever changed (see `Layout.of` for root)
    data/                 the cluster; belongs to the server's account
    run/                  the socket, unless the path is too long for one
    tmp/                  the server's account may write here
    software/             a copy of the binaries, where the account cannot see the wheel's
    password              of the superuser, for our user's eyes only
    whence_app.password   of the application's role, likewise
    server.log            the server's words (server.log.1: the older half)
    start.lock            held while somebody starts or stops the server
    users.lock            shared by every process that uses the server
    server.lock           held by the postgres processes themselves, by inheritance
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
"""Only names the socket: the server listens on no network address."""

SOCKET_PATH_BYTES = 107
"""Longest path of a unix socket on Linux (`sun_path` is 108 bytes with its final NUL)."""

SHORT_BASE = Path("/tmp")
"""Parent of the private socket folder of a home whose path is too long. Not `$TMPDIR`: two
processes of one user must derive the same name."""

OPEN_BASE = Path("/var/lib/whence/homes")
"""Where root keeps the databases of homes that the server's account may not enter."""

_PLAIN = re.compile(r"[A-Za-z0-9._/+~@ -]*")
"""Paths that libpq (comma, colon) and the server's own list syntax take without quoting."""


@dataclass(frozen=True)
class Layout:
    """The files of the embedded server of `home` (an absolute path)."""

    home: Path

    @classmethod
    def of(cls, home: Path) -> Layout:
        """The layout of `home`, seen through symbolic links, so that each process agrees.

        Root's server runs under another account.  A home that others may not enter (as
        `mktemp -d` makes one) keeps its mode, and its database lies under `OPEN_BASE` instead,
        in a folder named after the home.
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
        """`run/` in the home, or a short private folder where that is too long for a socket."""
        inside = self.folder / "run"
        if socket_fits(inside):
            return inside
        key = f"{os.geteuid()}:{self.home}".encode(errors="surrogateescape")
        return SHORT_BASE / f"whence-{os.geteuid()}-{hashlib.sha256(key).hexdigest()[:12]}"


def socket_fits(folder: Path) -> bool:
    """Whether a server can listen in `folder` and every client can name it."""
    path = str(folder / f".s.PGSQL.{PORT}")
    return len(os.fsencode(path)) <= SOCKET_PATH_BYTES and _PLAIN.fullmatch(path) is not None


def _open_to_others(place: Path) -> bool:
    """Whether no folder of root's own down to `place` keeps other accounts out.

    A folder of somebody else, or a file in the way, is not ours to work around: it is refused.
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
