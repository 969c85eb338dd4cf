"""Writing many records of a kind at once: COPY, one upsert, and what changed kept with the import.

A batch costs a handful of statements however many rows it has. Instead of a line in the audit log
for each record there is one for the import, and the import keeps, for each record that it changed,
what the record was before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast
from uuid import UUID

from sqlalchemy import Table, text
from sqlalchemy.dialects import postgresql

from whence.db.statements import stage
from whence.kernel.ids import new_id
from whence.records.imports.importer import Batch
from whence.records.indexing import reindex
from whence.records.kind import SubjectKind
from whence.records.references import held, missing
from whence.records.tabular.reading import Row
from whence.records.upsert import Upserted

STAGED = "staged_records"
KEPT = "kept_fields"
"""The column of the staged rows with the fields that an existing record keeps."""
_DIALECT = postgresql.dialect()
_ALONE = text("""
    SELECT pg_advisory_xact_lock(hashtextextended(:table || whence.current_org(), 0))
""")
_UPSERT = """
    WITH old AS MATERIALIZED (
        SELECT t.id, t.external_id, {old_values} AS before, {new_values} AS after
        FROM {table} t JOIN pg_temp.{staged} s ON t.external_id = s.external_id
        WHERE t.deleted_at IS NULL FOR UPDATE OF t
    ), updated AS (
        UPDATE {table} t SET {assignments}, version = t.version + 1, updated_at = now()
        FROM pg_temp.{staged} s, old o
        WHERE t.id = o.id AND s.external_id = o.external_id AND o.before IS DISTINCT FROM o.after
        RETURNING t.id
    ), added AS (
        INSERT INTO {table} (id, external_id, version, created_at, updated_at, {columns})
        SELECT s.id, s.external_id, 1, now(), now(), {staged_columns} FROM pg_temp.{staged} s
        WHERE NOT EXISTS (SELECT FROM old o WHERE o.external_id = s.external_id)
        RETURNING id, external_id
    )
    SELECT a.external_id, a.id, 'added' AS outcome, CAST(NULL AS jsonb) AS before,
        CAST(NULL AS jsonb) AS after FROM added a
    UNION ALL
    SELECT o.external_id, o.id, 'updated', d.before, d.after
    FROM old o JOIN updated u ON u.id = o.id CROSS JOIN LATERAL (
        SELECT jsonb_object_agg(b.key, b.value) AS before,
            jsonb_object_agg(b.key, o.after -> b.key) AS after
        FROM jsonb_each(o.before) b WHERE b.value IS DISTINCT FROM o.after -> b.key
    ) d
"""


async def upsert_all(
    batch: Batch[Any], kind: SubjectKind, *, keep: Collection[str] = ()
) -> list[UUID]:
    """Add the batch's records, or change the fields in which the stored ones differ.

    A record that is there already keeps the fields that its row says nothing of (`batch.kept`), and
    those in `keep`. Rows are found by their external id; a record that was deleted is added again.
    A row that refers to a missing record is
    refused. Returns whence's ids of the records that were added or changed, for an index of the
    pack's own.
    """
    if not batch.rows:
        return []
    session, table = batch.session, cast("Table", kind.row.__table__)
    fields = [*kind.record.model_fields]
    types = {name: table.columns[name].type.compile(dialect=_DIALECT).lower() for name in fields}
    written = await _resolved(batch, kind)
    kept = [batch.kept(row).intersection(fields) for row, _ in written]
    rows = [
        (new_id(), row.external_id, sorted(left), *(columns[name] for name in fields))
        for (row, columns), left in zip(written, kept, strict=True)
    ]
    await session.execute(_ALONE, {"table": f"{table.fullname} "})
    await stage(
        session,
        STAGED,
        [("id", "uuid"), ("external_id", "text"), (KEPT, "text[]"), *types.items()],
        rows,
    )
    always_kept = frozenset.intersection(*kept).union(keep) if kept else frozenset(keep)
    compared = {
        name: any(name in each for each in kept) for name in fields if name not in always_kept
    }
    if not compared:  # such as a file of ids alone
        compared = {fields[0]: True}
    answer = await session.execute(text(_statement(table.fullname, fields, compared)))
    changed = {each.external_id: each for each in answer}
    for row, _ in written:
        if (each := changed.get(row.external_id)) is None:
            batch.saved(row, Upserted.UNCHANGED)
        else:
            batch.saved(row, Upserted(each.outcome), each.id, each.before, each.after)
    searched = set(kind.search)
    added = [each.id for each in changed.values() if each.outcome == Upserted.ADDED]
    reworded = [
        each.id
        for each in changed.values()
        if each.outcome == Upserted.UPDATED and not searched.isdisjoint(each.before)
    ]
    await reindex(session, kind, added, are_new=True)
    await reindex(session, kind, reworded)
    return [each.id for each in changed.values()]


async def _resolved(
    batch: Batch[Any], kind: SubjectKind
) -> list[tuple[Row[Any], Mapping[str, Any]]]:
    """Rows with their columns, every reference as whence's id; one query for each relation."""
    rows: list[tuple[Row[Any], Mapping[str, Any]]]
    rows = [(row, kind.columns(row.record)) for row in batch.rows]
    for relation in kind.relations:
        name = relation.field
        references = sorted(
            {str(columns[name]) for _, columns in rows if columns[name] is not None}
        )
        ids = await held(batch.session, relation, references)
        there: list[tuple[Row[Any], Mapping[str, Any]]] = []
        for row, columns in rows:
            reference = columns[name]
            if reference is None:
                there.append((row, columns))
            elif row_id := ids.get(str(reference)):
                there.append((row, {**columns, name: str(row_id)}))
            else:
                batch.refuse(row, name, str(reference), missing(relation, reference, name).message)
        rows = there
    return rows


def _statement(table: str, fields: list[str], compared: Mapping[str, bool]) -> str:
    """The upsert for a table; its names are those of the kind, none comes from outside.

    `compared` says of each field to write whether some rows keep the stored value.
    """
    quoted = [f'"{name}"' for name in fields]
    new = {name: _new_value(name, some_keep=some) for name, some in compared.items()}
    return _UPSERT.format(
        table=table,
        staged=STAGED,
        old_values=_as_json({name: f't."{name}"' for name in compared}),
        new_values=_as_json(new),
        assignments=", ".join(f'"{name}" = {value}' for name, value in new.items()),
        columns=", ".join(quoted),
        staged_columns=", ".join(f"s.{name}" for name in quoted),
    )


def _new_value(name: str, *, some_keep: bool) -> str:
    if not some_keep:
        return f's."{name}"'
    return f"""CASE WHEN '{name}' = ANY(s.{KEPT}) THEN t."{name}" ELSE s."{name}" END"""


def _as_json(values: Mapping[str, str]) -> str:
    row = ", ".join(f'{value} AS "{name}"' for name, value in values.items())
    return f"(SELECT to_jsonb(r) FROM (SELECT {row}) AS r)"
