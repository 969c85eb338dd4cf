"""The role that the application connects as: made once for a server, bound by row-level security.

A role belongs to the whole server, while the migrations' lock belongs to one database.  So two
databases of one server may make or change the role at once; whoever comes second waits for the
first one's transaction and then tries again.
"""

from __future__ import annotations

import psycopg
from psycopg import errors, sql

from whence.kernel.errors import Misconfigured

APP_ROLE = "whence_app"
SCRAM_ITERATIONS = 1
"""Of the passwords that this program makes: drawn at random, 256 bits long, so that nobody guesses
them however fast a try is, and opening a connection costs neither side milliseconds."""

_ATTEMPTS = 50
"""Each failed attempt has waited for another database's migration, so only as many are needed as
databases migrate at once."""

_GRANT_WHERE_MISSING = """
    DO $$ BEGIN
        IF NOT pg_has_role(current_user, 'whence_app', 'SET') THEN
            GRANT whence_app TO CURRENT_USER;
        END IF;
    END $$
"""
"""A role that was granted whence_app may use it, though it may not grant it (again)."""


def make_app_role(connection: psycopg.Connection, password: str | None) -> None:
    """Make the role, or give it this password, in the caller's transaction.

    Raises Misconfigured when the owner may not, or the role is exempt from row-level security.
    """
    try:
        for remaining in reversed(range(_ATTEMPTS)):
            try:
                with connection.transaction():  # a savepoint, as a transaction is open
                    _create_or_alter(connection, password)
                    connection.execute(_GRANT_WHERE_MISSING)
                break
            except psycopg.Error as error:
                if not (remaining and _was_changed_at_once(error)):
                    raise
    except errors.InsufficientPrivilege as error:
        raise Misconfigured(
            "The role in WHENCE_DATABASE_URL may not create the role whence_app; grant it"
            " CREATEROLE, or create whence_app (no SUPERUSER, no BYPASSRLS) and grant it to it."
        ) from error
    check_app_role(connection)


def check_app_role(connection: psycopg.Connection) -> None:
    """Raise Misconfigured when row-level security would not bind the application's role."""
    flags = connection.execute(
        "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = %s", (APP_ROLE,)
    ).fetchone()
    if flags and flags[0]:
        raise Misconfigured("whence_app is exempt from row-level security; remove that attribute.")


def _create_or_alter(connection: psycopg.Connection, password: str | None) -> None:
    login = (
        sql.SQL("LOGIN PASSWORD {}").format(sql.Literal(password))
        if password
        else sql.SQL("NOLOGIN")
    )
    exists = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (APP_ROLE,)).fetchone()
    if exists and not password:
        return
    verb = sql.SQL("ALTER" if exists else "CREATE")
    connection.execute(sql.SQL("SET LOCAL scram_iterations = {}").format(SCRAM_ITERATIONS))
    connection.execute(sql.SQL("{} ROLE whence_app {}").format(verb, login))


def _was_changed_at_once(error: psycopg.Error) -> bool:
    """Whether another transaction has made or changed the role since this one looked."""
    # An update at once has no code of its own, and its message may be in any language.
    return isinstance(
        error, (errors.DuplicateObject, errors.UniqueViolation, errors.InternalError_)
    )
