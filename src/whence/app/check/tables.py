"""Checks the tables of a pack's migrations: in its own schema, and closed to other tenants."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.sdk.pack import Pack

_TABLES = text("""
    SELECT n.nspname AS schema, c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity
           AS is_closed,
        EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid) AS has_policy,
        EXISTS (SELECT FROM pg_index i JOIN pg_attribute a
                ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey)
                WHERE i.indrelid = c.oid AND i.indisprimary AND a.attname = 'org_id') AS is_keyed
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
      AND n.nspname NOT LIKE 'pg_temp%' AND c.relname <> 'schema_version'
    ORDER BY 1, 2
""")


async def tables(session: AsyncSession) -> dict[tuple[str, str], tuple[bool, bool]]:
    """Every table by schema and name: whether it is protected, and has an organization column."""
    rows = await session.execute(_TABLES)
    return {
        (row.schema, row.name): (row.is_closed and row.has_policy, row.is_keyed) for row in rows
    }


def table_faults(pack: Pack, made: dict[tuple[str, str], tuple[bool, bool]]) -> Iterator[str]:
    """The faults of the tables created by the pack's migrations."""
    for (schema, name), (is_protected, is_keyed) in sorted(made.items()):
        table = f"{schema}.{name}"
        if schema != pack.id:
            yield f"the migrations make {table}, outside the pack's schema; write {pack.id}.{name}"
        if not is_protected:
            yield f"{table} is open to other organizations; add SELECT whence.protect('{table}');"
        if not is_keyed:
            yield f"{table} has no org_id in its key; write PRIMARY KEY (org_id, id)"
    for kind in pack.subjects:
        name = kind.row.__tablename__
        if (pack.id, name) not in made:
            yield f"no migration makes {pack.id}.{name}, the table of '{kind.kind}'; add one"
