"""Files of a dead server may name anything; only a process that holds our lock is ours."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator

import pytest

from whence.db.embedded.account import server_account
from whence.db.embedded.layout import PORT, Layout
from whence.db.embedded.processes import postmaster

pytestmark = pytest.mark.usefixtures("made_before")


@pytest.fixture
def stranger(layout: Layout) -> Iterator[int]:
    """A living process of the server's own account that has nothing to do with it."""
    account = server_account(layout.data, None)
    user = account.uid if account else os.geteuid()
    with subprocess.Popen(["sleep", "60"], user=user, cwd="/") as process:
        yield process.pid
        process.kill()


def write_stale(layout: Layout, pid: int) -> None:
    """What a killed server leaves, naming `pid`."""
    lines = [str(pid), str(layout.data), "1700000000", str(PORT), str(layout.socket_dir), "", ""]
    layout.pid_file.write_text("\n".join([*lines, "ready", ""]))
    (layout.socket_dir / f".s.PGSQL.{PORT}.lock").write_text("\n".join([*lines[:-1], ""]))
    (layout.socket_dir / f".s.PGSQL.{PORT}").touch()


def test_a_pid_file_that_names_a_living_stranger_stops_nobody(postgres, layout, stranger, query):
    write_stale(layout, stranger)
    assert postmaster(layout) is None
    assert query(postgres.start().admin_url, "SELECT 1") == 1
    os.kill(stranger, 0)


def test_a_pid_that_was_recycled_for_our_own_process_is_no_server(postgres, layout, query):
    write_stale(layout, os.getpid())
    assert query(postgres.start().admin_url, "SELECT 1") == 1


def test_a_pid_file_with_nonsense_is_no_server(postgres, layout, query):
    layout.pid_file.write_bytes(b"\xff not a number\n")
    assert query(postgres.start().admin_url, "SELECT 1") == 1


def test_a_recycled_pid_of_another_server_is_left_alone(postgres, layout, cluster, query):
    from whence.db.embedded import EmbeddedPostgres

    with EmbeddedPostgres(cluster) as neighbour:
        write_stale(layout, postmaster(Layout.of(cluster)) or 0)
        assert query(postgres.start().admin_url, "SELECT 1") == 1
        postgres.release()
        assert query(neighbour.admin_url, "SELECT 1") == 1


def test_a_zombie_is_no_server(postgres, layout, query):
    postgres.start()
    postgres.release()
    zombie = subprocess.Popen(["true"])
    os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
    write_stale(layout, zombie.pid)
    assert query(postgres.start().admin_url, "SELECT 1") == 1
    zombie.send_signal(signal.SIGTERM)
    zombie.wait()
