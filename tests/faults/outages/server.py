"""A PostgreSQL server of a test's own, over TCP, that it stops, kills and starts as it likes.

It is made of the embedded binaries, without the embedded supervisor: nobody starts it again but
the test.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import psutil
import psycopg

from whence.db.embedded.account import Account, run_as, server_account
from whence.db.embedded.binaries import Binaries, installed_binaries, reachable_binaries
from whence.db.embedded.layout import Layout

USER, PASSWORD = "whence_admin", "pw-of-a-test"
START_SECONDS = 60.0
STOP_SECONDS = 30.0
REMOVAL_SECONDS = 10.0
MODES = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}
SETTINGS = {
    "fsync": "off",
    "shared_buffers": "24MB",
    "max_connections": "100",
    "unix_socket_directories": "",
    "io_method": "sync",
    "dynamic_shared_memory_type": "mmap",
    "max_wal_senders": "0",
    "wal_level": "minimal",
    "min_wal_size": "4MB",
    "max_wal_size": "8MB",
    "restart_after_crash": "off",
    "lc_messages": "C",
}
_ENV = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def programs(folder: Path) -> tuple[Binaries, Account | None]:
    """The binaries, copied under `folder` where the server's account may not run them, and it."""
    account = server_account(folder / "none", None)
    layout = Layout(folder)
    if account:
        layout.folder.mkdir(exist_ok=True)
        layout.folder.chmod(0o755)
    return reachable_binaries(installed_binaries(), layout, account, _ENV), account


def make_cluster(folder: Path, binaries: Binaries, account: Account | None) -> Path:
    """A new cluster in `folder`, asking for a password whoever connects from wherever."""
    word = folder / "word"
    word.write_text(PASSWORD)
    data = folder / "data"
    data.mkdir(mode=0o700)
    if account:
        os.chown(data, account.uid, account.gid)
        word.chmod(0o644)
    command = [str(binaries.initdb), "-D", str(data), f"--username={USER}", f"--pwfile={word}"]
    command += ["--encoding=UTF8", "--locale=C", "--no-sync", "--wal-segsize=1"]
    process = run_as(account, [*command, "--auth=scram-sha-256"], env=_ENV, seconds=60)
    assert process.returncode == 0, process.stdout
    with (data / "pg_hba.conf").open("a") as rules:
        rules.write("host all all 0.0.0.0/0 scram-sha-256\n")
    return data


class Server:
    """The server of one cluster."""

    def __init__(
        self,
        data: Path,
        binaries: Binaries,
        account: Account | None,
        *,
        address: str = "127.0.0.1",
        inside: tuple[str, ...] = (),
    ) -> None:
        """`inside`: words before the command, such as those that enter a network namespace."""
        self.data, self.address, self.port = data, address, free_port()
        self._binaries, self._account, self._inside = binaries, account, inside
        self._process: subprocess.Popen[bytes] | None = None
        self.settings = dict(SETTINGS)

    @property
    def url(self) -> str:
        return f"postgresql://{USER}:{PASSWORD}@{self.address}:{self.port}/whence"

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self, *, wait: bool = True) -> None:
        """Start it, and wait until it takes connections."""
        for left in self.data.glob("postmaster.pid"):
            left.unlink()
        place = {"listen_addresses": self.address, "port": str(self.port)}
        options = [f"--{name}={value}" for name, value in (self.settings | place).items()]
        command = [*self._inside, str(self._binaries.postgres), "-D", str(self.data), *options]
        account = self._account
        if account and self._inside:  # only root may enter: become the account inside
            who = [f"--reuid={account.uid}", f"--regid={account.gid}", "--clear-groups"]
            command = [*self._inside, "setpriv", *who, *command[len(self._inside) :]]
        is_plain = account and not self._inside
        with self.data.with_name("log").open("ab") as log:
            self._process = subprocess.Popen(
                command,
                env=_ENV,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=account.uid if is_plain else None,
                group=account.gid if is_plain else None,
                extra_groups=[account.gid] if is_plain else None,
                start_new_session=True,
                umask=0o077,
            )
        if wait:
            self.answers()

    def answers(self) -> None:
        """Wait until it takes connections."""
        late = time.monotonic() + START_SECONDS
        while not self._is_listening():
            assert self.is_running, self.log()
            assert time.monotonic() < late, self.log()
            time.sleep(0.02)

    def _is_listening(self) -> bool:
        if self._inside:
            words = self.data / "postmaster.pid"
            return words.exists() and "ready" in words.read_text()
        with contextlib.suppress(psycopg.OperationalError):
            psycopg.connect(self.url, dbname="postgres", connect_timeout=3).close()
            return True
        return False

    def stop(self, mode: str = "fast") -> None:
        """Stop it as `pg_ctl stop -m MODE` does, or with SIGKILL for `kill`."""
        process = self._process
        if process is None or process.poll() is not None:
            return
        family = [psutil.Process(process.pid), *psutil.Process(process.pid).children()]
        try:
            if mode != "kill":
                process.send_signal(MODES[mode])
                process.wait(STOP_SECONDS)
        finally:
            for one in family:  # also its children: one that outlived it would keep the cluster
                with contextlib.suppress(psutil.NoSuchProcess):
                    one.kill()
            process.wait(STOP_SECONDS)
            psutil.wait_procs(family, STOP_SECONDS)

    def restart(self, mode: str = "fast") -> None:
        self.stop(mode)
        self.start()

    def log(self) -> str:
        """Its last words."""
        return self.data.with_name("log").read_text(errors="replace")[-2000:]


def copied(prepared: Path, folder: Path) -> Path:
    """A copy of a stopped cluster in `folder`, with its owner."""
    target = folder / "data"
    subprocess.run(
        ["cp", "-a", "--reflink=auto", str(prepared), str(target)], check=True, timeout=120
    )
    return target


def removed(folder: Path) -> None:
    """Remove a folder; while a server's watchdog ends, it may still write a lock into it."""
    until = time.monotonic() + REMOVAL_SECONDS
    while folder.exists() and time.monotonic() < until:
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(0.1)
