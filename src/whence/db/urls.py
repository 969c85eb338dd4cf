"""One PostgreSQL address, in the two spellings that libpq and SQLAlchemy want."""

from __future__ import annotations

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import URL

from whence.kernel.errors import Misconfigured

LOCK_WAIT_SECONDS = 30
"""Longest wait for a row that another transaction holds; then the caller is told to try again."""

CONNECT_SECONDS = 5
"""Longest wait for a server to take a connection; libpq's own is minutes."""

DEAD_LINK_SECONDS = 10
"""Silence after which a network link is given up, on both of its ends; the system's own is hours.
A worker that was cut off must notice, and the server must let go of the rows that it held."""

IDLE_TRANSACTION_SECONDS = 20
"""A transaction in which nothing happens for so long is ended by the server: its process is stopped
or hung.  Less than `LOCK_WAIT_SECONDS`, so that whoever waits for its rows gets them."""

_PROBE_SECONDS = 3
_PROBES = 2
_LINK = {
    "connect_timeout": CONNECT_SECONDS,
    "keepalives": 1,
    "keepalives_idle": DEAD_LINK_SECONDS - _PROBES * _PROBE_SECONDS,
    "keepalives_interval": _PROBE_SECONDS,
    "keepalives_count": _PROBES,
    "tcp_user_timeout": DEAD_LINK_SECONDS * 1000,
}
"""For libpq, unless the address says otherwise; over a unix socket they mean nothing."""
_SERVER_LINK = (
    f"-c tcp_keepalives_idle={_LINK['keepalives_idle']}"
    f" -c tcp_keepalives_interval={_PROBE_SECONDS}"
    f" -c tcp_keepalives_count={_PROBES}"
    f" -c tcp_user_timeout={_LINK['tcp_user_timeout']}"
    f" -c idle_in_transaction_session_timeout={IDLE_TRANSACTION_SECONDS}s"
)
"""The same for the server's end of the link."""


class NoDatabaseUrl(Misconfigured):
    """WHENCE_DATABASE_URL is no PostgreSQL address; write postgresql://USER:PASSWORD@HOST/NAME."""


def sqlalchemy_url(conninfo: str) -> URL:
    """A libpq URI or key=value string as a SQLAlchemy URL for psycopg; every parameter is kept."""
    parts = {k: str(v) for k, v in conninfo_to_dict(conninfo).items() if v is not None}
    return URL.create("postgresql+psycopg", query=parts)


def as_app(conninfo: str, *, role: str | None, application: str) -> str:
    """The address as the application uses it: a dead server or link shows within seconds.

    `role` is switched to at connect, for an owner's address that has no login of its own for it.
    `search_path` names the schemas that libraries expect to find unqualified.
    Raises NoDatabaseUrl.
    """
    try:
        given = {k: v for k, v in conninfo_to_dict(conninfo).items() if v is not None}
    except ProgrammingError as error:
        raise NoDatabaseUrl from error
    # Later ones count: what the operator's options say about the link stands.
    options = f"{_SERVER_LINK} {given.get('options') or ''}".strip()
    options += " -c search_path=whence,jobs,checkpoints,public"
    options += f" -c lock_timeout={LOCK_WAIT_SECONDS}s"
    if role:
        options += f" -c role={role}"
    link = {name: value for name, value in _LINK.items() if name not in given}
    return make_conninfo(conninfo, **link, options=options, application_name=application)
