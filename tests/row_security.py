"""An owner of tables that row-level security binds, like the installer of an external database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from psycopg import sql

from whence.kernel.ids import new_id

_POLICIES = """
    SELECT policyname FROM pg_policies WHERE schemaname = 'whence' AND tablename = %s
    AND policyname IN ('retention', 'operator_reads')
"""


@contextmanager
def owned_by_no_superuser(
    database: Any, tables: Sequence[str], functions: Sequence[str], reads: Sequence[str] = ()
) -> Iterator[None]:
    """Give tables and functions of the schema `whence` to an ordinary role, with its policies.

    `reads` are tables that the functions only read.
    """
    role = sql.Identifier(f"role_{new_id().hex}")

    def run(statement: str, *names: str) -> None:
        identifiers = (sql.Identifier(each) for each in names)
        database.execute(sql.SQL(statement).format(*identifiers, role=role))

    run("CREATE ROLE {role} NOSUPERUSER NOBYPASSRLS")
    try:
        run("GRANT USAGE ON SCHEMA whence TO {role}")
        for table in reads:
            run("GRANT SELECT ON whence.{} TO {role}", table)
        for table in tables:
            run("ALTER TABLE whence.{} OWNER TO {role}", table)
        for table in (*tables, *reads):
            for (policy,) in database.execute(_POLICIES, (table,)).fetchall():
                run("ALTER POLICY {} ON whence.{} TO {role}", policy, table)
        for function in functions:
            run("ALTER FUNCTION whence.{} OWNER TO {role}", function)
        yield
    finally:
        run("REASSIGN OWNED BY {role} TO CURRENT_USER")
        run("DROP OWNED BY {role}")
        run("DROP ROLE {role}")
