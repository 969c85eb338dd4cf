"""What cannot work says what to do about it, and leaves nothing half made."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from whence.db.embedded import (
    DiskFull,
    EmbeddedPostgres,
    ForeignData,
    HomeNotReachable,
    HomeNotWritable,
    ServerAccountMissing,
    ServerNotStarting,
    layout,
)
from whence.db.embedded.layout import Layout
from whence.db.embedded.processes import leftovers
from whence.kernel.errors import WhenceError

is_root = os.geteuid() == 0
only_root = pytest.mark.skipif(not is_root, reason="needs root")
made_before = pytest.mark.usefixtures("made_before")


@pytest.fixture
def small_disk(open_folder: Path) -> Iterator[Path]:
    """A disk of 90 MB."""
    disk = open_folder / "disk"
    disk.mkdir()
    options = "size=90m,mode=0755"
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "none", str(disk)], check=False, timeout=120
    )
    if made.returncode != 0:
        pytest.skip("may not mount a small disk here")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True, timeout=120)


def fill(disk: Path, leave_mb: int) -> Path:
    filler = disk / "filler"
    free = shutil.disk_usage(disk).free
    filler.write_bytes(bytes(max(0, free - leave_mb * 1024 * 1024)))
    return filler


@only_root
@pytest.mark.parametrize("free_mb", [0, 1, 20])
def test_a_full_disk_at_the_first_start_says_so_and_leaves_no_half_cluster(small_disk, free_mb):
    filler = fill(small_disk, free_mb)
    postgres = EmbeddedPostgres(small_disk / "home")
    with pytest.raises(DiskFull, match=r"disk .* full.*[Ff]ree some space"):
        postgres.start()
    layout = Layout.of(small_disk / "home")
    assert not layout.data.exists()
    assert not list(layout.folder.glob("data.new-*"))
    filler.unlink()
    with postgres as server:
        assert server.admin_url


@only_root
def test_a_disk_that_filled_up_later_says_so_and_recovers_with_its_data(small_disk, query):
    home = small_disk / "home"
    settings = {"min_wal_size": "32MB", "fsync": "off"}
    postgres = EmbeddedPostgres(home, extra_settings=settings)
    query(postgres.start().admin_url, "CREATE TABLE kept AS SELECT 7 AS n")
    for pid in leftovers(Layout.of(home)):
        os.kill(pid, 9)
    postgres.release()
    filler = fill(small_disk, 0)
    with pytest.raises(DiskFull):
        postgres.start()
    filler.unlink()
    with postgres as server:
        assert query(server.admin_url, "SELECT n FROM kept") == 7


@only_root
def test_a_read_only_home_names_the_setting(small_disk):
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True, timeout=120)
    with pytest.raises(HomeNotWritable, match=r"Read-only file system.*WHENCE_HOME"):
        EmbeddedPostgres(small_disk / "home").start()


@pytest.mark.skipif(is_root, reason="root may write everywhere")
def test_an_unwritable_home_names_the_setting(open_folder):
    open_folder.chmod(0o500)
    with pytest.raises(HomeNotWritable, match=r"Permission denied.*WHENCE_HOME"):
        EmbeddedPostgres(open_folder / "home").start()


def test_a_home_that_is_a_file_names_the_setting(home):
    home.write_text("not a folder")
    with pytest.raises(HomeNotWritable, match="WHENCE_HOME"):
        EmbeddedPostgres(home).start()


@only_root
def test_a_home_closed_to_the_servers_account_keeps_its_database_where_it_may_look(
    open_folder, monkeypatch
):
    monkeypatch.setattr(layout, "OPEN_BASE", open_folder / "open")
    closed = open_folder / "closed"
    closed.mkdir(mode=0o700)
    with EmbeddedPostgres(closed / "deep" / "home") as server:
        assert server.folder.is_relative_to(open_folder / "open")
    assert closed.stat().st_mode & 0o777 == 0o700
    assert list(closed.iterdir()) == []


@only_root
def test_a_closed_folder_above_every_place_is_named(open_folder, monkeypatch):
    monkeypatch.setattr(layout, "OPEN_BASE", open_folder / "closed" / "open")
    closed = open_folder / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(HomeNotReachable, match=rf"may not enter {closed}\. .*WHENCE_HOME"):
        EmbeddedPostgres(closed / "home").start()


@only_root
def test_no_folder_above_ours_is_changed_and_a_strict_umask_does_no_harm(open_folder, query):
    above = open_folder / "above"
    above.mkdir()
    above.chmod(0o711)
    before = [(path, path.stat().st_mode, path.stat().st_uid) for path in (above, *above.parents)]
    old = os.umask(0o077)
    try:
        with EmbeddedPostgres(above / "new" / "home", extra_settings={"fsync": "off"}) as server:
            assert query(server.admin_url, "SELECT 1") == 1
    finally:
        os.umask(old)
    assert before == [(p, p.stat().st_mode, p.stat().st_uid) for p, _, _ in before]


@only_root
def test_root_without_an_account_for_the_server_is_told_to_make_one(home):
    with pytest.raises(
        ServerAccountMissing, match="account `whence-nobody-has-this` does not exist"
    ):
        EmbeddedPostgres(home, account="whence-nobody-has-this").start()


@made_before
def test_a_server_that_refuses_its_settings_is_quoted(home, layout):
    postgres = EmbeddedPostgres(home, extra_settings={"shared_buffers": "a lot"})
    with pytest.raises(ServerNotStarting, match="invalid value for parameter") as caught:
        postgres.start()
    assert isinstance(caught.value, WhenceError)
    assert not leftovers(layout)


@made_before
def test_data_of_another_major_version_are_refused_untouched(home, layout):
    (layout.data / "PG_VERSION").write_text("17\n")
    with pytest.raises(ForeignData, match=r"PostgreSQL 17.* runs 18.*[Bb]ack"):
        EmbeddedPostgres(home).start()


@made_before
def test_data_whose_password_is_lost_are_refused_untouched(home, layout):
    layout.password.unlink()
    with pytest.raises(ForeignData, match="password"):
        EmbeddedPostgres(home).start()
    assert layout.data.exists()


@made_before
def test_a_wrong_password_file_is_named(home, layout):
    layout.password.write_text("something else")
    with pytest.raises(ForeignData, match="does not accept the password"):
        EmbeddedPostgres(home).start()
    assert not leftovers(layout)


@made_before
def test_after_a_refusal_the_same_object_can_start(home, postgres, layout, query):
    password = layout.password.read_text()
    layout.password.unlink()
    with pytest.raises(ForeignData):
        postgres.start()
    layout.password.write_text(password)
    assert query(postgres.start().admin_url, "SELECT 1") == 1
