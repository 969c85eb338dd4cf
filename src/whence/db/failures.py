"""Database outages: the one table of errors that pass without a change to the program.

Code that can wait for the database (a request, a run, the worker's loops) calls `outage`.  Any
other error is a fault of the program or its setup, and waiting does not help.
"""

from __future__ import annotations

from typing import ClassVar

import psycopg
from psycopg_pool import PoolTimeout
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoneFree

from whence.kernel.errors import Unavailable


class DatabaseBusy(Unavailable):
    """The database did not answer or has no free connection; try again in a moment."""

    after: ClassVar[float] = 5.0
    """Seconds after which to try again; a paused run waits this long."""

    def __init__(self, message: str | None = None, **context: object) -> None:
        super().__init__(message, retry_after=self.after, **context)


class DatabaseAway(DatabaseBusy):
    """The database is not reachable (stopped, starting or cut off). whence continues by itself when
    it is back; if that takes long, check that its server is running and reachable."""


class DatabaseFull(DatabaseBusy):
    """The database's disk is full; free some space there. whence then continues by itself."""

    after = 20.0


class DatabaseReadOnly(DatabaseBusy):
    """The database is read-only, as a standby is; set WHENCE_DATABASE_URL to the primary server.
    whence then continues by itself."""


class NoConnectionLeft(DatabaseBusy):
    """The database has no connection left; try again in a moment. If that lasts, raise its
    `max_connections` or run fewer processes."""


class Contended(DatabaseBusy):
    """This change conflicted with others in the database and was rolled back; send it again."""

    after = 1.0


class LastMomentsLost(DatabaseBusy):
    """The database crashed and lost its last transactions. whence continues by itself from what was
    saved."""

    after = 1.0


BY_STATE: dict[str, type[DatabaseBusy]] = {
    "08": DatabaseAway,  # connection exceptions
    "25006": DatabaseReadOnly,  # after a failover: the connection reaches a standby
    "40001": Contended,  # serialization failure
    "40P01": Contended,  # deadlock
    "53": DatabaseBusy,  # out of memory or another resource
    "53100": DatabaseFull,
    "53300": NoConnectionLeft,
    "57": DatabaseBusy,  # an operator cancelled the statement
    "57P": DatabaseAway,  # shut down, crashed, starting
    "58": DatabaseBusy,  # a system error, such as an I/O error
    "WH003": LastMomentsLost,  # raised by `whence.end_step`
}
"""The outage for each SQLSTATE or prefix of one; the longest match counts.

The codes are those of the PostgreSQL manual, appendix A.
"""

_BY_WORDS = (
    ("too many clients", NoConnectionLeft),
    ("connection slots", NoConnectionLeft),
    ("No space left", DatabaseFull),
    ("starting up", DatabaseAway),
    ("shutting down", DatabaseAway),
    ("recovery mode", DatabaseAway),
)
"""A refused connection has no code, only a message: in English, unless `lc_messages` says
otherwise."""
_REFUSED = "FATAL"
"""A server that refuses a connection sends this; without it, no server answered."""


def outage(error: BaseException) -> DatabaseBusy | None:
    """The outage behind an error of the driver, the ORM or a library; None for any other error."""
    if isinstance(error, DatabaseBusy):
        return error
    if isinstance(error, NoneFree | PoolTimeout):
        return DatabaseBusy()
    if isinstance(error, psycopg.Error):
        return _outage_of(error)
    if isinstance(error, DBAPIError):
        if error.orig and (meaning := outage(error.orig)):
            return meaning
        # If the server ended the connection with a code, the table says what it means.
        is_cut = error.connection_invalidated and not getattr(error.orig, "sqlstate", None)
        return DatabaseAway() if is_cut else None
    return outage(error.__cause__) if error.__cause__ else None


def is_refused_for_good(error: psycopg.OperationalError) -> bool:
    """Whether the server refused the connection with an error that waiting does not cure."""
    message = str(error)
    return _REFUSED in message and not any(phrase in message for phrase, _ in _BY_WORDS)


def _outage_of(error: psycopg.Error) -> DatabaseBusy | None:
    if error.sqlstate:
        prefixes = (error.sqlstate[:length] for length in (5, 3, 2))
        return next((BY_STATE[prefix]() for prefix in prefixes if prefix in BY_STATE), None)
    if not isinstance(error, psycopg.OperationalError):
        return None
    message = str(error)
    for phrase, meaning in _BY_WORDS:
        if phrase in message:
            return meaning()
    return DatabaseBusy() if _REFUSED in message else DatabaseAway()
