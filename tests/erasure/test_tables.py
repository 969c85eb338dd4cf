"""The list of tables is whole: a new table says how its rows are erased, or this fails."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from erasure.traces import TABLES
from whence.erasure.tables import CORE, TableErasure, missing

pytestmark = pytest.mark.anyio


async def test_every_table_of_the_database_says_how_it_is_erased(
    database_url: str, platform: Any
) -> None:
    with psycopg.connect(database_url) as admin:
        tables = {name for (name,) in admin.execute(TABLES.encode())}
    declared = [each for pack in platform.packs for each in pack.erasure]
    records = {str(kind.row.__table__) for kind in platform.kinds.values()}
    records |= {f"{pack.id}.schema_version" for pack in platform.packs}
    assert missing(tables - records, [*CORE, *declared]) == set()
    assert missing({each.table for each in CORE}, map(_of, tables)) == set()


async def test_every_key_is_a_column(database_url: str, platform: Any) -> None:
    declared = [each for pack in platform.packs for each in pack.erasure]
    with psycopg.connect(database_url) as admin:
        columns = set(
            admin.execute(
                "SELECT table_schema || '.' || table_name, column_name::text"
                " FROM information_schema.columns"
            )
        )
    keys = {(each.table, key) for each in [*CORE, *declared] for key, _ in each.keys}
    assert keys <= columns


@pytest.mark.parametrize("more", [{}, {"keys": (("id", "record"),), "stays": "for ever"}])
def test_a_table_says_one_thing(more: Any) -> None:
    with pytest.raises(ValueError, match=r"a\.b"):
        TableErasure("a.b", **more)


def _of(table: str) -> TableErasure:
    return TableErasure(table, stays="as the database has it")
