"""The account that the server runs under: our own, or an unprivileged one if we are root."""

from __future__ import annotations

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path

from whence.db.embedded.errors import HomeNotReachable, ServerAccountMissing

USUAL_ACCOUNTS = ("postgres", "nobody")
"""Tried in this order if we are root; nearly every system has the second."""

_ENTER = 'for d do cd -- "$d" 2>/dev/null || { printf %s "$d"; exit 1; }; done'


@dataclass(frozen=True)
class Account:
    """An unprivileged account that root runs the server under."""

    name: str
    uid: int
    gid: int


def server_account(data: Path, wanted: str | None) -> Account | None:
    """The account to run the server under; None means our own user, who is not root.

    An existing cluster keeps its account, because PostgreSQL insists on owning its files. Raises
    ServerAccountMissing if we are root and no such account exists.
    """
    if os.geteuid() != 0:
        return None
    if data.exists() and (owner := data.stat().st_uid) != 0:
        return _by_uid(owner)
    for name in (wanted,) if wanted else USUAL_ACCOUNTS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if entry.pw_uid != 0:
            return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
    raise ServerAccountMissing(
        f"PostgreSQL refuses to run as root and the account `{wanted}` does not exist; create it."
        if wanted
        else None
    )


def user_name(uid: int) -> str:
    """The name of a user, or the number if the system has no name for it."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid {uid}"


def run_as(
    account: Account | None,
    command: list[str],
    *,
    env: dict[str, str],
    pass_fds: tuple[int, ...] = (),
    seconds: float,
) -> subprocess.CompletedProcess[str]:
    """Run `command` as `account` (None: our own user) with the environment `env`, and wait for it.

    The result's stdout holds both streams. Raises OSError if the account may not execute it, and
    `subprocess.TimeoutExpired` after `seconds`.
    """
    return subprocess.run(
        command,
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[account.gid] if account else None,
        env=env,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=pass_fds,
        umask=0o077,
        timeout=seconds,
        check=False,
        text=True,
        errors="replace",
    )


def require_reachable(account: Account, folder: Path, env: dict[str, str]) -> None:
    """Raise HomeNotReachable, naming the closed folder, unless `account` may enter `folder`."""
    way = [str(step) for step in (*reversed(folder.parents), folder)]
    process = run_as(account, ["/bin/sh", "-c", _ENTER, "sh", *way], env=env, seconds=10)
    if process.returncode != 0:
        raise HomeNotReachable(
            f"whence runs as root, PostgreSQL as the account `{account.name}`, and that account "
            f"may not enter {process.stdout}. Set WHENCE_HOME to a folder that it can reach, such "
            "as /var/lib/whence, or run whence as an ordinary user."
        )


def may_run(account: Account | None, program: Path, env: dict[str, str]) -> bool:
    """Whether `account` can execute `program`, which must support `--version`."""
    try:
        return run_as(account, [str(program), "--version"], env=env, seconds=30).returncode == 0
    except PermissionError:
        return False


def _by_uid(uid: int) -> Account:
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        return Account(f"uid {uid}", uid, uid)
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
