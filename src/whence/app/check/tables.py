"""Checks the tables of a pack's migrations: in its own schema, and closed to other tenants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from alembic.runtime.migration import MigrationContext
from sqlalchemy import Column, Connection, String, Table, inspect, text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.records.kind import SubjectKind
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


def column_faults(pack: Pack, connection: Connection) -> Iterator[str]:
    """Columns of the kinds that their tables lack or have with another type, and relations without
    a foreign key.
    """
    tables_there = inspect(connection)
    types = MigrationContext.configure(connection).impl
    for kind in pack.subjects:
        table = _table(kind)
        name = f"{table.schema}.{table.name}"
        if not tables_there.has_table(table.name, table.schema):
            continue  # `table_faults` says so
        columns = {
            each["name"]: each for each in tables_there.get_columns(table.name, table.schema)
        }
        for wanted in table.columns:
            spelled = wanted.type.compile(connection.dialect).lower()
            if wanted.name not in columns:
                yield (
                    f"{name} has no column {wanted.name}; add a migration with ALTER TABLE {name} "
                    f"ADD COLUMN {wanted.name} {spelled}"
                )
                continue
            stored = columns[wanted.name]["type"]
            is_text = isinstance(stored, String) and isinstance(wanted.type, String)
            if not is_text and types.compare_type(Column(wanted.name, stored), wanted):
                yield (
                    f"{name}.{wanted.name} is {stored.compile(connection.dialect).lower()} and "
                    f"{kind.row.__name__} declares {spelled}; make them equal"
                )
        keys = tables_there.get_foreign_keys(table.name, table.schema)
        yield from _relation_faults(kind, name, [each["constrained_columns"] for each in keys])


def _relation_faults(kind: SubjectKind, name: str, keys: list[list[str]]) -> Iterator[str]:
    for relation in kind.relations:
        if not any(relation.field in columns for columns in keys):
            target = _table(relation.target())
            yield (
                f"{name}.{relation.field} has no foreign key; add FOREIGN KEY (org_id, "
                f"{relation.field}) REFERENCES {target.schema}.{target.name} (org_id, id)"
            )


def _table(kind: SubjectKind) -> Table:
    return cast("Table", kind.row.__table__)
