"""Many rows at once: COPY into a temporary table of the caller's transaction.

COPY cannot write to a table with row-level security, so rows go into a temporary table first, and
one statement carries them over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from psycopg import sql
from psycopg.types.json import Jsonb
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.statements import driver_connection


async def stage(
    session: AsyncSession,
    table: str,
    columns: Sequence[tuple[str, str]],
    rows: Iterable[Sequence[object]],
) -> None:
    """Fill a temporary table of this name anew; `columns` are names and types.

    It is gone with the transaction. Values for `jsonb` go as JSON; NUL characters are refused by
    the database, so clean texts before.
    """
    driver = await driver_connection(session)
    name = sql.Identifier("pg_temp", table)
    await driver.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(name))
    declared = sql.SQL(", ").join(
        sql.SQL("{} {}").format(sql.Identifier(column), sql.SQL(kind))  # pyright: ignore[reportArgumentType]
        for column, kind in columns
    )
    create = sql.SQL("CREATE TEMPORARY TABLE {} ({}) ON COMMIT DROP")
    await driver.execute(create.format(sql.Identifier(table), declared))
    as_json = [kind == "jsonb" for _, kind in columns]
    async with (
        driver.cursor() as cursor,
        cursor.copy(sql.SQL("COPY {} FROM STDIN").format(name)) as copy,
    ):
        for row in rows:
            await copy.write_row(
                [
                    Jsonb(value) if json and value is not None else value
                    for value, json in zip(row, as_json, strict=True)
                ]
            )
