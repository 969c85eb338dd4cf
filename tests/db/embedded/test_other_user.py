"""Two users of one machine: their own homes side by side, never one home for both."""

from __future__ import annotations

import os
import pwd
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

import whence
from whence.db.embedded import EmbeddedPostgres, HomeNotWritable, HomeOfAnotherUser
from whence.db.embedded.layout import Layout

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be a second user")

NOBODY = pwd.getpwnam("nobody")
_PATHS = [str(Path(whence.__file__).parents[1]), *(p for p in sys.path if "site-packages" in p)]
_HEAD = """
import sys
from pathlib import Path
from whence.kernel.errors import WhenceError
from whence.db.embedded import EmbeddedPostgres
postgres = EmbeddedPostgres(Path(sys.argv[1]), keep_seconds=0.5, extra_settings={"fsync": "off"})
"""
_REFUSED = f"""{_HEAD}
try:
    postgres.start()
except WhenceError as error:
    print(type(error).__name__, error)
"""


@pytest.fixture(scope="module")
def python() -> str:
    """A Python of our version that the other user may run; ours may lie under a closed folder."""
    name = f"python3.{sys.version_info.minor}"
    for program in (sys.executable, f"/usr/bin/{name}", f"/usr/local/bin/{name}"):
        try:
            process = as_nobody(program, "import psycopg, whence.db.embedded")
        except OSError:
            continue
        if process.returncode == 0:
            return program
    pytest.skip("the other user cannot run a Python with our packages here")


def as_nobody(program: str, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, "-c", script, *arguments],
        user=NOBODY.pw_uid,
        group=NOBODY.pw_gid,
        extra_groups=[],
        env={"PYTHONPATH": os.pathsep.join(_PATHS), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def nobodys(open_folder: Path) -> Path:
    """A folder of the other user."""
    folder = open_folder / "nobodys"
    folder.mkdir()
    os.chown(folder, NOBODY.pw_uid, NOBODY.pw_gid)
    return folder


@pytest.mark.usefixtures("made_before")
def test_two_users_with_homes_of_their_own_work_side_by_side(
    postgres, python, nobodys, query: Callable[[str, str], object]
):
    server = postgres.start()
    script = f"""{_HEAD}
import psycopg, os
with postgres as server, psycopg.connect(server.admin_url) as connection:
    print(connection.execute("SELECT 41 + 1").fetchone()[0], server.socket_dir)
"""
    for home in (nobodys / "home", nobodys / ("long" * 30)):
        process = as_nobody(python, script, str(home))
        assert process.stdout.startswith("42 "), process.stderr
        socket_dir = Path(process.stdout.split(" ", 1)[1].strip())
        assert socket_dir != server.socket_dir
        assert Layout.of(home).data.stat().st_uid == NOBODY.pw_uid
        assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert query(server.admin_url, "SELECT 1") == 1


@pytest.mark.usefixtures("made_before")
def test_the_home_of_root_is_refused_to_another_user_with_the_fix(postgres, python, home):
    postgres.start()
    process = as_nobody(python, _REFUSED, str(home))
    assert process.stdout.startswith("HomeOfAnotherUser"), process.stderr
    assert "belongs to root, and you are nobody" in process.stdout
    assert "Set WHENCE_HOME" in process.stdout


def test_a_closed_home_of_somebody_else_is_refused_with_the_fix(python, open_folder):
    closed = open_folder / "closed"
    closed.mkdir(mode=0o700)
    process = as_nobody(python, _REFUSED, str(closed / "home"))
    assert process.stdout.startswith("HomeOfAnotherUser"), process.stderr
    assert f"{closed} belongs to root" in process.stdout


def test_a_folder_its_user_may_not_write_names_the_setting(python, nobodys):
    nobodys.chmod(0o500)
    process = as_nobody(python, _REFUSED, str(nobodys / "home"))
    assert process.stdout.startswith("HomeNotWritable"), process.stderr
    assert "Permission denied" in process.stdout
    assert "WHENCE_HOME" in process.stdout


def test_the_home_of_another_user_is_refused_to_root_with_the_fix(python, nobodys):
    home = nobodys / "home"
    process = as_nobody(python, f"{_HEAD}\nwith postgres: pass", str(home))
    assert process.returncode == 0, process.stderr
    with pytest.raises(HomeOfAnotherUser, match="belongs to nobody, and you are root"):
        EmbeddedPostgres(home).start()


@pytest.mark.usefixtures("made_before")
def test_another_user_cannot_even_reach_the_socket(postgres, python):
    url = postgres.start().admin_url
    process = as_nobody(python, "import psycopg, sys; psycopg.connect(sys.argv[1])", url)
    assert "Permission denied" in process.stderr
    with psycopg.connect(url):
        pass


def test_a_short_socket_folder_that_somebody_else_took_is_refused(open_folder):
    layout = Layout.of(open_folder / ("long" * 30))
    layout.socket_dir.mkdir(mode=0o777)
    os.chown(layout.socket_dir, NOBODY.pw_uid, NOBODY.pw_gid)
    try:
        with pytest.raises(HomeNotWritable, match=r"belongs to another user \(nobody\).*shorter"):
            EmbeddedPostgres(layout.home, account="postgres").start()
    finally:
        layout.socket_dir.rmdir()
