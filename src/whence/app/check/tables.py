"""Checks the tables of a pack's migrations: in its own schema, and closed to other tenants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from alembic.runtime.migration import MigrationContext
from sqlalchemy import Column, Connection, Inspector, String, Table, inspect, text
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

_AMONG_THE_LIVING = re.compile(r"\(?deleted_at IS NULL\)?", re.IGNORECASE)
"""The condition of an index that deleted records are left out of."""


async def tables(session: AsyncSession) -> dict[tuple[str, str], tuple[bool, bool]]:
    """Every table by schema and name: whether it is protected, and has an organization column."""
    rows = await session.execute(_TABLES)
    return {
        (row.schema, row.name): (row.is_closed and row.has_policy, row.is_keyed) for row in rows
    }


def table_faults(pack: Pack, created: dict[tuple[str, str], tuple[bool, bool]]) -> Iterator[str]:
    """The faults of the tables created by the pack's migrations."""
    for (schema, name), (is_protected, is_keyed) in sorted(created.items()):
        table = f"{schema}.{name}"
        if schema != pack.id:
            yield f"the migrations make {table}, outside the pack's schema; write {pack.id}.{name}"
        if not is_protected:
            yield f"{table} is open to other organizations; add SELECT whence.protect('{table}');"
        if not is_keyed:
            yield f"{table} has no org_id in its key; write PRIMARY KEY (org_id, id)"
    for kind in pack.subjects:
        name = kind.row.__tablename__
        if (pack.id, name) not in created:
            yield f"no migration makes {pack.id}.{name}, the table of '{kind.kind}'; add one"


def stored_faults(pack: Pack, connection: Connection) -> Iterator[str]:
    """Where the tables differ from their kinds: columns, relations, the index of ids."""
    inspector = inspect(connection)
    for kind in pack.subjects:
        table = _table(kind)
        if not inspector.has_table(table.name, table.schema):
            continue  # `table_faults` says so
        yield from _column_faults(kind, inspector, connection)
        yield from _relation_faults(kind, inspector)
        yield from _external_id_faults(kind, inspector)


def _column_faults(
    kind: SubjectKind, inspector: Inspector, connection: Connection
) -> Iterator[str]:
    table, name = _table(kind), _name(kind)
    types = MigrationContext.configure(connection).impl
    columns = {each["name"]: each for each in inspector.get_columns(table.name, table.schema)}
    for column in table.columns:
        spelled = column.type.compile(connection.dialect).lower()
        if column.name not in columns:
            yield (
                f"{name} has no column {column.name}; add a migration with ALTER TABLE {name} "
                f"ADD COLUMN {column.name} {spelled}"
            )
            continue
        stored = columns[column.name]["type"]
        is_text = isinstance(stored, String) and isinstance(column.type, String)
        if not is_text and types.compare_type(Column(column.name, stored), column):
            yield (
                f"{name}.{column.name} is {stored.compile(connection.dialect).lower()} and "
                f"{kind.row.__name__} declares {spelled}; make them equal"
            )
    for each in columns.values():
        is_filled = each["nullable"] or each["default"] is not None or each.get("identity")
        if each["name"] not in table.columns and not is_filled and not each.get("computed"):
            yield (
                f"{name}.{each['name']} is NOT NULL without a default, and {kind.row.__name__} does"
                " not declare it; declare it, give it a default, or allow NULL"
            )


def _relation_faults(kind: SubjectKind, inspector: Inspector) -> Iterator[str]:
    table, name = _table(kind), _name(kind)
    keys = inspector.get_foreign_keys(table.name, table.schema)
    for relation in kind.relations:
        if not any(relation.field in each["constrained_columns"] for each in keys):
            target = _table(relation.target())
            yield (
                f"{name}.{relation.field} has no foreign key; add FOREIGN KEY (org_id, "
                f"{relation.field}) REFERENCES {target.schema}.{target.name} (org_id, id)"
            )


def _external_id_faults(kind: SubjectKind, inspector: Inspector) -> Iterator[str]:
    """The id of an import must be unique among the records that are not deleted."""
    table, name = _table(kind), _name(kind)
    conditions = [
        each.get("dialect_options", {}).get("postgresql_where") or ""
        for each in inspector.get_indexes(table.name, table.schema)
        if each["unique"] and set(each["column_names"]) == {"org_id", "external_id"}
    ]
    if any(_AMONG_THE_LIVING.fullmatch(condition) for condition in conditions):
        return
    statement = (
        f"CREATE UNIQUE INDEX {table.name}_external_id ON {name} (org_id, external_id) "
        "WHERE deleted_at IS NULL"
    )
    if "" in conditions:
        yield (
            f"{name} counts deleted records when it keeps (org_id, external_id) unique, so a "
            f"deleted record cannot be imported again; replace the index by {statement}"
        )
    else:
        yield (
            f"{name} may hold two records with the same external_id; add a migration with "
            f"{statement}"
        )


def _name(kind: SubjectKind) -> str:
    table = _table(kind)
    return f"{table.schema}.{table.name}"


def _table(kind: SubjectKind) -> Table:
    return cast("Table", kind.row.__table__)
