"""Imports of samples, and the imports of a record."""

from whence.db.migrations.sql import run_sql_beside

revision = "0048"
down_revision = "0047"


def upgrade() -> None:
    run_sql_beside(__file__)
