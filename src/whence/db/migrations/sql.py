"""Migrations as plain SQL files: `0001_core.py` runs `0001_core.sql` beside it."""

from __future__ import annotations

from pathlib import Path

import psycopg
from alembic import op


def run_sql_beside(module_file: str) -> None:
    """Run the SQL file that has the migration module's name, in the migration's transaction."""
    sql = Path(module_file).with_suffix(".sql").read_bytes()
    driver = op.get_bind().connection.driver_connection
    assert isinstance(driver, psycopg.Connection)
    driver.execute(sql)
