"""Create the role that the application connects as; row-level security applies to it.

A role belongs to the whole server, but the migrations' lock belongs to one database.  Two databases
of one server may therefore create or change the role at the same time; the second one waits for the
first transaction and tries again.
"""

from __future__ import annotations

import psycopg
from psycopg import errors, sql

from whence.kernel.errors import Misconfigured

APP_ROLE = "whence_app"
SCRAM_ITERATIONS = 1
"""For generated passwords: they are random and 256 bits long, so a slow hash adds no safety and
would only make every connection slower."""

_ATTEMPTS = 50
"""A failed attempt has already waited for another database's migration, so this bounds how many
databases can migrate at once."""

_GRANT_WHERE_MISSING = """
    DO $$ BEGIN
        IF NOT pg_has_role(current_user, 'whence_app', 'SET') THEN
            GRANT whence_app TO CURRENT_USER;
        END IF;
    END $$
"""
"""A role that was granted whence_app may use it, but may not grant it."""


def make_app_role(connection: psycopg.Connection, password: str | None) -> None:
    """Create the role, or set its password, in the caller's transaction.

    Raises Misconfigured if the owner lacks the right, or the role bypasses row-level security.
    """
    try:
        for remaining in reversed(range(_ATTEMPTS)):
            try:
                with connection.transaction():  # a savepoint
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
    """Raise Misconfigured if the application's role bypasses row-level security."""
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
    """Whether another transaction has created or changed the role in the meantime."""
    # A concurrent update has no SQLSTATE of its own, and its message is localized.
    return isinstance(
        error, (errors.DuplicateObject, errors.UniqueViolation, errors.InternalError_)
    )
