"""A PostgreSQL address, in libpq's and in SQLAlchemy's form."""

from __future__ import annotations

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import URL

from whence.kernel.errors import Misconfigured

LOCK_WAIT_SECONDS = 30
"""Longest wait for a row that another transaction holds; then the statement fails with an outage.
"""

CONNECT_SECONDS = 5
"""Longest wait for a connection to open; libpq's default is minutes."""

DEAD_LINK_SECONDS = 10
"""Silence after which both ends drop a network link; the system's default is hours. A worker that
was cut off must notice, and the server must release the rows that it held."""

IDLE_TRANSACTION_SECONDS = 20
"""The server ends a transaction that has been idle for so long: its process is suspended or hung.
Less than `LOCK_WAIT_SECONDS`, so that others who wait for its rows get them."""

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
"""For libpq, unless the address says otherwise; without effect over a unix socket."""
_SERVER_LINK = (
    f"-c tcp_keepalives_idle={_LINK['keepalives_idle']}"
    f" -c tcp_keepalives_interval={_PROBE_SECONDS}"
    f" -c tcp_keepalives_count={_PROBES}"
    f" -c tcp_user_timeout={_LINK['tcp_user_timeout']}"
    f" -c idle_in_transaction_session_timeout={IDLE_TRANSACTION_SECONDS}s"
)
"""The same for the server's end of the link."""


class NoDatabaseUrl(Misconfigured):
    """WHENCE_DATABASE_URL is not a PostgreSQL address; write postgresql://USER:PASSWORD@HOST/NAME."""


def sqlalchemy_url(conninfo: str) -> URL:
    """A libpq URI or key=value string as a SQLAlchemy URL for psycopg; every parameter is kept."""
    parts = {k: str(v) for k, v in conninfo_to_dict(conninfo).items() if v is not None}
    return URL.create("postgresql+psycopg", query=parts)


def as_app(conninfo: str, *, role: str | None, application: str) -> str:
    """The address as the application uses it, with timeouts that reveal a dead server or link in
    seconds.

    `role`: switch to this role after connecting; for an owner's address if the role has no login.
    `search_path` names the schemas that libraries expect to find unqualified. Raises NoDatabaseUrl.
    """
    try:
        parameters = {k: v for k, v in conninfo_to_dict(conninfo).items() if v is not None}
    except ProgrammingError as error:
        raise NoDatabaseUrl from error
    # Later options count, so the operator's own options for the link win.
    options = f"{_SERVER_LINK} {parameters.get('options') or ''}".strip()
    options += " -c search_path=whence,jobs,checkpoints,public"
    options += f" -c lock_timeout={LOCK_WAIT_SECONDS}s"
    if role:
        options += f" -c role={role}"
    link = {name: value for name, value in _LINK.items() if name not in parameters}
    return make_conninfo(conninfo, **link, options=options, application_name=application)
