"""What the database's errors mean: the one table of those that pass by themselves, with their fix.

Whoever waits for the database (a request, a run, the worker's loops) asks `outage`; an error that
is none is a fault of the program or of its setup, and waiting would not cure it.
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
    """Seconds after which to try again; a run waits as long."""

    def __init__(self, message: str | None = None, **context: object) -> None:
        super().__init__(message, retry_after=self.after, **context)


class DatabaseAway(DatabaseBusy):
    """The database is away (stopped, starting or cut off). whence continues by itself when it
    answers; if that takes long, see that its server runs and can be reached."""


class DatabaseFull(DatabaseBusy):
    """The database's disk is full; free some space there. whence then continues by itself."""

    after = 20.0


class DatabaseReadOnly(DatabaseBusy):
    """The database takes no changes, as a standby does; let WHENCE_DATABASE_URL name the primary
    server. whence then continues by itself."""


class NoConnectionLeft(DatabaseBusy):
    """The database has no connection left; try again in a moment. If that lasts, raise its
    `max_connections` or run fewer processes."""


class Contended(DatabaseBusy):
    """Several changes met in the database and this one gave way; send it again."""

    after = 1.0


class LastMomentsLost(DatabaseBusy):
    """The database crashed and came back without its last moments. whence continues by itself, from
    what it has."""

    after = 1.0


BY_STATE: dict[str, type[DatabaseBusy]] = {
    "08": DatabaseAway,  # connection exceptions
    "25006": DatabaseReadOnly,  # after a failover: the connection leads to a standby now
    "40001": Contended,  # serialization failure
    "40P01": Contended,  # deadlock
    "53": DatabaseBusy,  # too little memory, and the like
    "53100": DatabaseFull,
    "53300": NoConnectionLeft,
    "57": DatabaseBusy,  # an operator cancelled the statement
    "57P": DatabaseAway,  # shut down, crashed, starting
    "58": DatabaseBusy,  # its operating system failed it
    "WH003": LastMomentsLost,  # raised by `whence.end_step`
}
"""SQLSTATE, or the beginning of one, → what it means; the longest that fits counts.

The codes are PostgreSQL's own (its manual, appendix A).
"""

_BY_WORDS = (
    ("too many clients", NoConnectionLeft),
    ("connection slots", NoConnectionLeft),
    ("No space left", DatabaseFull),
    ("starting up", DatabaseAway),
    ("shutting down", DatabaseAway),
    ("recovery mode", DatabaseAway),
)
"""A refused connection has no code, only words: English, unless `lc_messages` is another."""
_REFUSED = "FATAL"
"""A server that answers a connection with this is there; without it, nobody answered."""


def outage(error: BaseException) -> DatabaseBusy | None:
    """The outage behind a driver's, the ORM's or a library's error; None where it is none."""
    if isinstance(error, DatabaseBusy):
        return error
    if isinstance(error, NoneFree | PoolTimeout):
        return DatabaseBusy()
    if isinstance(error, psycopg.Error):
        return _said(error)
    if isinstance(error, DBAPIError):
        if error.orig and (meaning := outage(error.orig)):
            return meaning
        # A server that ended the connection with a code has said why; see the table.
        is_cut = error.connection_invalidated and not getattr(error.orig, "sqlstate", None)
        return DatabaseAway() if is_cut else None
    return outage(error.__cause__) if error.__cause__ else None


def is_refused_for_good(error: psycopg.OperationalError) -> bool:
    """Whether a server answered a connection with an error that waiting does not cure."""
    words = str(error)
    return _REFUSED in words and not any(known in words for known, _ in _BY_WORDS)


def _said(error: psycopg.Error) -> DatabaseBusy | None:
    if error.sqlstate:
        known = (error.sqlstate[:length] for length in (5, 3, 2))
        return next((BY_STATE[state]() for state in known if state in BY_STATE), None)
    if not isinstance(error, psycopg.OperationalError):
        return None
    words = str(error)
    for known, meaning in _BY_WORDS:
        if known in words:
            return meaning()
    return DatabaseBusy() if _REFUSED in words else DatabaseAway()
