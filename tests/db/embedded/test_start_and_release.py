"""One process: a private, well set up server that appears when needed and is gone after."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import psutil
import psycopg
import pytest
import sqlalchemy
from psycopg import sql

from whence.db.embedded import EmbeddedPostgres
from whence.db.embedded.layout import Layout
from whence.db.embedded.locks import is_held
from whence.db.embedded.processes import leftovers, postmaster


@pytest.fixture(scope="module")
def running(cluster):
    """One server for all the tests that only look at it; it was started with a secret around."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "sk-very-secret")
        patch.setenv("PGDATA", "/nowhere")
        with EmbeddedPostgres(cluster) as server:
            yield server


@pytest.fixture
def running_layout(running, cluster):
    return Layout.of(cluster)


def test_the_first_start_makes_a_database_with_vectors_checksums_and_unicode(running, query):
    url = running.admin_url
    assert query(url, "SELECT current_user || '/' || current_database()") == "whence_admin/whence"
    assert query(url, "SHOW data_checksums") == "on"
    assert query(url, "SHOW server_encoding") == "UTF8"
    assert query(url, "SELECT lower('ÄÖÉ')") == "äöé"
    query(url, "CREATE EXTENSION vector")
    assert query(url, "SELECT '[1,2]'::vector <-> '[1,4]'") == 2.0


@pytest.mark.usefixtures("made_before")
def test_starting_twice_gives_the_same_server(postgres, layout):
    first = postgres.start()
    pid = postmaster(layout)
    assert postgres.start() == first
    assert postmaster(layout) == pid


@pytest.mark.usefixtures("made_before")
def test_the_last_release_leaves_nothing_running(postgres, layout):
    postgres.start()
    assert leftovers(layout)
    postgres.release()
    assert not leftovers(layout)
    assert not is_held(layout.watch_lock)
    assert not list(layout.socket_dir.iterdir())


def test_releasing_what_was_never_started_does_nothing(postgres, home):
    postgres.release()
    assert not home.exists()


@pytest.mark.usefixtures("made_before")
def test_the_data_outlive_the_server(postgres, query):
    query(postgres.start().admin_url, "CREATE TABLE kept AS SELECT 7 AS n")
    postgres.release()
    with postgres as server:
        assert query(server.admin_url, "SELECT n FROM kept") == 7


def test_any_role_and_password_fit_into_a_url_for_psycopg_and_sqlalchemy(running):
    server = running
    role, password = "app user", "p@ss:w/rd?&=%é 'x'"
    with psycopg.connect(server.admin_url) as connection:
        statement = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}")
        connection.execute(statement.format(sql.Identifier(role), sql.Literal(password)))
    url = server.url(role, password)
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT current_user").fetchone() == (role,)
    engine = sqlalchemy.create_engine(url.replace("postgresql:", "postgresql+psycopg:", 1))
    with engine.connect() as connection:
        assert connection.scalar(sqlalchemy.text("SELECT current_user")) == role
    engine.dispose()


def test_a_wrong_password_is_refused(running):
    with pytest.raises(psycopg.OperationalError, match="authentication failed"):
        psycopg.connect(running.url("whence_admin", "guess"))


def test_the_password_shows_in_no_print_no_log_and_no_process_list(running, running_layout):
    layout = running_layout
    password = layout.password.read_text().strip()
    assert len(password) > 40
    assert stat.S_IMODE(layout.password.stat().st_mode) == 0o600
    assert password not in repr(running)
    assert password not in layout.log.read_text()
    lines = [" ".join(psutil.Process(pid).cmdline()) for pid in leftovers(layout)]
    assert not any(password in line for line in lines)


def test_the_server_listens_on_its_socket_only(running_layout):
    layout = running_layout
    server = psutil.Process(postmaster(layout))
    assert server.net_connections(kind="inet") == []
    assert stat.S_IMODE(layout.socket_dir.stat().st_mode) == 0o700
    assert stat.S_IMODE(layout.data.stat().st_mode) == 0o700


def test_the_server_sees_nothing_of_our_environment(running_layout):
    environment = psutil.Process(postmaster(running_layout)).environ()
    assert set(environment) <= {"LC_ALL", "PATH", "TMPDIR", "PG_GRANDPARENT_PID"}


@pytest.mark.usefixtures("made_before")
def test_settings_given_win_over_ours(home, query):
    extra = {"work_mem": "3MB", "application_name": "with a space", "fsync": "off"}
    with EmbeddedPostgres(home, extra_settings=extra) as server:
        assert query(server.admin_url, "SHOW work_mem") == "3MB"
        assert query(server.admin_url, "SHOW fsync") == "off"


def test_by_default_nothing_is_lost_in_a_power_cut(running, query):
    for name in ("fsync", "full_page_writes", "synchronous_commit"):
        assert query(running.admin_url, f"SHOW {name}") == "on"


@pytest.mark.parametrize("name", ["n" * 120, "a,b:c 'd' é"])
def test_a_home_no_socket_fits_in_gets_a_short_private_socket_folder(open_folder, name, query):
    postgres = EmbeddedPostgres(open_folder / name, extra_settings={"fsync": "off"})
    with postgres as server:
        assert query(server.admin_url, "SELECT 1") == 1
        assert server.socket_dir.parent == Path("/tmp")
        assert str(os.geteuid()) in server.socket_dir.name
        assert stat.S_IMODE(server.socket_dir.stat().st_mode) == 0o700
    assert not server.socket_dir.exists()
