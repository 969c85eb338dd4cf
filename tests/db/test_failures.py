"""What each of the database's errors means to whoever waits for it."""

from __future__ import annotations

import psycopg
import pytest
from procrastinate.exceptions import ConnectorException
from psycopg import errors
from psycopg_pool import PoolTimeout
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import OperationalError as OrmOperationalError

from whence.db import failures
from whence.db.database import translated
from whence.db.failures import (
    Contended,
    DatabaseAway,
    DatabaseBusy,
    DatabaseFull,
    DatabaseReadOnly,
    LastMomentsLost,
    NoConnectionLeft,
    is_refused_for_good,
    outage,
)
from whence.kernel.errors import StaleAttempt, Unavailable

MEANINGS = {
    "08000": DatabaseAway,
    "08006": DatabaseAway,
    "25006": DatabaseReadOnly,
    "40001": Contended,
    "40P01": Contended,
    "53100": DatabaseFull,
    "53200": DatabaseBusy,
    "53300": NoConnectionLeft,
    "57014": DatabaseBusy,
    "57P01": DatabaseAway,
    "57P02": DatabaseAway,
    "57P03": DatabaseAway,
    "58030": DatabaseBusy,
    "WH003": LastMomentsLost,
    # faults of the program or of its setup: waiting does not cure them
    "25P03": None,  # it left a transaction open for too long
    "55P03": None,  # it asked for a lock that another of its transactions kept
    "22P02": None,
    "23505": None,
    "25P02": None,
    "40002": None,
    "42501": None,
    "42P01": None,
    "P0001": None,
    "WH001": None,
    "XX000": None,
}
WORDS = {
    'connection failed: connection to server at "10.1.2.3", port 5432 failed: FATAL:  '
    "sorry, too many clients already": NoConnectionLeft,
    "FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute": (
        NoConnectionLeft
    ),
    "FATAL:  the database system is starting up": DatabaseAway,
    "FATAL:  the database system is in recovery mode": DatabaseAway,
    "FATAL:  could not write init file: No space left on device": DatabaseFull,
    "connection refused": DatabaseAway,
    "server closed the connection unexpectedly": DatabaseAway,
    "connection timeout expired": DatabaseAway,
    'FATAL:  password authentication failed for user "app"': DatabaseBusy,
}


def error_of(state: str) -> psycopg.Error:
    kind = psycopg.Error if state.startswith("WH") else errors.lookup(state)
    error = kind("as the server said it")
    error.sqlstate = state
    return error


@pytest.mark.parametrize("state", MEANINGS)
def test_a_code_means_the_same_wherever_it_surfaces(state: str) -> None:
    wanted = MEANINGS[state]
    library = ConnectorException()
    library.__cause__ = error_of(state)
    for error in (error_of(state), DBAPIError("SELECT 1", {}, error_of(state)), library):
        result = outage(error)
        assert (type(result) if result else None) == wanted


@pytest.mark.parametrize("words", WORDS)
def test_a_connection_that_fails_is_understood_by_its_words(words: str) -> None:
    assert type(outage(psycopg.OperationalError(words))) is WORDS[words]


def test_only_a_refusal_that_waiting_does_not_cure_is_for_good() -> None:
    final = {words for words in WORDS if is_refused_for_good(psycopg.OperationalError(words))}
    assert final == {'FATAL:  password authentication failed for user "app"'}


def test_a_pool_without_a_free_connection_is_an_outage() -> None:
    assert type(outage(PoolTimeout("no connection after 10 s"))) is DatabaseBusy


def test_a_connection_that_the_orm_gave_up_is_an_outage_whatever_the_error() -> None:
    error = OrmOperationalError("SELECT 1", {}, ValueError("odd"), connection_invalidated=True)
    assert type(outage(error)) is DatabaseAway


def test_the_fence_is_no_outage() -> None:
    assert type(translated(DBAPIError("SELECT 1", {}, error_of("WH001")))) is StaleAttempt


def test_every_outage_pauses_a_run_and_says_what_to_do() -> None:
    kinds = {DatabaseBusy, *failures.BY_STATE.values()}
    for kind in kinds:
        assert issubclass(kind, Unavailable)
        assert any(word in kind().message for word in ("try again", "send it again", "by itself"))
