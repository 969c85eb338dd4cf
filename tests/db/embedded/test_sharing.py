"""Several processes of one user share one server; the last one to leave stops it."""

from __future__ import annotations

import subprocess

import pytest

from whence.db.embedded import EmbeddedPostgres
from whence.db.embedded.locks import is_held
from whence.db.embedded.processes import leftovers, postmaster


@pytest.mark.usefixtures("made_before")
def test_two_processes_share_a_server_until_the_last_one_leaves(user, layout, query):
    first, second = user(), user()
    url = first.start()
    assert second.start() == url
    pid = postmaster(layout)
    first.release()
    assert postmaster(layout) == pid
    assert query(url, "SELECT 1") == 1
    second.release()
    assert not leftovers(layout)
    assert not is_held(layout.watch_lock)


def test_four_racing_cold_starts_make_one_cluster_and_all_connect(user, layout, query):
    users = [user() for _ in range(4)]
    for one in users:
        one.ask("start")
    urls = [one.answer() for one in users]
    assert len(set(urls)) == 1
    assert query(urls[0], "SELECT 1") == 1
    assert not list(layout.folder.glob("data.new-*"))
    words = layout.log.read_text()
    assert words.count("starting PostgreSQL") == 1
    for one in users:
        one.ask("release")
    for one in users:
        one.answer()
    assert not leftovers(layout)


@pytest.mark.usefixtures("made_before")
def test_two_objects_in_one_process_are_two_users(home, postgres, layout):
    other = EmbeddedPostgres(home)
    assert postgres.start() == other.start()
    postgres.release()
    assert postmaster(layout) is not None
    other.release()
    assert postmaster(layout) is None


@pytest.mark.usefixtures("made_before")
def test_a_program_that_a_user_started_does_not_keep_the_server(user, layout, postgres):
    postgres.start()
    with subprocess.Popen(["sleep", "30"], close_fds=False) as bystander:
        postgres.release()
        assert not leftovers(layout)
        assert bystander.poll() is None  # nobody has waited for its end
        bystander.kill()
