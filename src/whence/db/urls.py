"""One PostgreSQL address, in the two spellings that libpq and SQLAlchemy want."""

from __future__ import annotations

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import URL

from whence.kernel.errors import Misconfigured

LOCK_WAIT_SECONDS = 30
"""Longest wait for a row that another transaction holds; then the caller is told to try again."""


class NoDatabaseUrl(Misconfigured):
    """WHENCE_DATABASE_URL is no PostgreSQL address; write postgresql://USER:PASSWORD@HOST/NAME."""


def sqlalchemy_url(conninfo: str) -> URL:
    """A libpq URI or key=value string as a SQLAlchemy URL for psycopg; every parameter is kept."""
    parts = {k: str(v) for k, v in conninfo_to_dict(conninfo).items() if v is not None}
    return URL.create("postgresql+psycopg", query=parts)


def as_app(conninfo: str, *, role: str | None, application: str) -> str:
    """The address as the application uses it.

    `role` is switched to at connect, for an owner's address that has no login of its own for it.
    `search_path` names the schemas that libraries expect to find unqualified.
    Raises NoDatabaseUrl.
    """
    try:
        options = str(conninfo_to_dict(conninfo).get("options") or "")
    except ProgrammingError as error:
        raise NoDatabaseUrl from error
    options += " -c search_path=whence,jobs,checkpoints,public"
    options += f" -c lock_timeout={LOCK_WAIT_SECONDS}s"
    if role:
        options += f" -c role={role}"
    return make_conninfo(conninfo, options=options.strip(), application_name=application)
