"""The application's address: a dead link shows in seconds, unless the address says otherwise."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from whence.db import urls
from whence.db.urls import DEAD_LINK_SECONDS, NoDatabaseUrl, as_app

REMOTE = "postgresql://app:secret@db.example.org/whence"


def parts(url: str) -> dict[str, Any]:
    return dict(conninfo_to_dict(as_app(url, role=None, application="whence")))


def test_a_link_that_fell_silent_is_given_up_within_seconds() -> None:
    link = parts(REMOTE)
    probes = link["keepalives_interval"], link["keepalives_count"]
    silent = int(link["keepalives_idle"]) + int(probes[0]) * int(probes[1])
    assert silent == DEAD_LINK_SECONDS
    assert int(link["tcp_user_timeout"]) == DEAD_LINK_SECONDS * 1000
    assert int(link["connect_timeout"]) == urls.CONNECT_SECONDS


def test_what_the_operator_s_address_says_stands() -> None:
    own = "?connect_timeout=60&keepalives=0&tcp_user_timeout=5000&sslmode=require"
    link = parts(REMOTE + own)
    assert (link["connect_timeout"], link["keepalives"], link["tcp_user_timeout"]) == (
        "60",
        "0",
        "5000",
    )
    assert link["sslmode"] == "require"


def test_the_operator_s_options_come_after_ours_and_win() -> None:
    words = parts(REMOTE + "?options=-c%20tcp_user_timeout%3D700")["options"].split()
    text = [word for word in words if word.startswith("tcp_user_timeout")]
    assert text[-1] == "tcp_user_timeout=700"


def test_the_server_takes_the_options(database_url: str) -> None:
    with psycopg.connect(as_app(database_url, role="whence_app", application="x")) as connection:
        idle = connection.execute("SHOW idle_in_transaction_session_timeout").fetchone()
        assert idle == (f"{urls.IDLE_TRANSACTION_SECONDS}s",)


def test_a_transaction_of_a_stopped_process_ends_before_those_who_wait_for_its_rows() -> None:
    assert urls.IDLE_TRANSACTION_SECONDS < urls.LOCK_WAIT_SECONDS


def test_what_is_no_address_is_refused() -> None:
    with pytest.raises(NoDatabaseUrl):
        as_app("mysql://somewhere", role=None, application="whence")
