"""The pure parts: socket paths, URLs, what a refused connection says, the log's length."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict

from whence.db.embedded import watch
from whence.db.embedded.layout import SOCKET_PATH_BYTES, Layout, socket_fits
from whence.db.embedded.probe import Answer, classified
from whence.db.embedded.server import socket_url

printable = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40)


@given(printable, printable, printable, printable)
def test_libpq_reads_back_what_a_url_was_made_of(role, password, database, folder):
    read = conninfo_to_dict(socket_url(Path("/") / folder, role, password, database))
    assert read["user"] == role
    assert read["password"] == password
    assert read["dbname"] == database
    assert read["host"] == str(Path("/") / folder)


@given(printable)
def test_every_home_gets_a_socket_folder_that_fits(name):
    layout = Layout(Path("/srv") / name)
    assert socket_fits(layout.socket_dir)
    assert Layout(Path("/srv") / name).socket_dir == layout.socket_dir


def test_the_longest_socket_path_is_used_to_its_last_byte():
    spare = SOCKET_PATH_BYTES - len("//.s.PGSQL.5432")
    assert socket_fits(Path("/" + "x" * spare))
    assert not socket_fits(Path("/" + "x" * (spare + 1)))


def test_different_long_homes_get_different_socket_folders():
    first, second = (Layout(Path("/srv") / (letter * 120)) for letter in "ab")
    assert first.socket_dir != second.socket_dir


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ('FATAL:  database "whence" does not exist', Answer.NO_DATABASE),
        ('FATAL:  password authentication failed for user "whence_admin"', Answer.REFUSED),
        ("FATAL:  sorry, too many clients already", Answer.READY),
        ("FATAL:  the database system is starting up", Answer.SILENT),
        ('connection to server on socket "/x" failed: Connection refused', Answer.SILENT),
        ('connection to server on socket "/x" failed: No such file or directory', Answer.SILENT),
    ],
)
def test_a_refused_connection_is_understood(message, answer):
    assert classified(message) is answer


def test_a_log_that_grew_too_long_moves_aside_and_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(watch, "LOG_LIMIT_BYTES", 100)
    log = tmp_path / "server.log"
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(descriptor, b"a" * 100)
        watch.shorten_log(str(log), descriptor)
        assert log.stat().st_size == 100
        os.write(descriptor, b"b" * 50)
        watch.shorten_log(str(log), descriptor)
        assert (tmp_path / "server.log.1").read_bytes() == b"a" * 50 + b"b" * 50
        os.write(descriptor, b"c")
        assert log.read_bytes() == b"c"
    finally:
        os.close(descriptor)
