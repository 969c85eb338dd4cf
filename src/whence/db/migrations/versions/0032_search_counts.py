"""Counts of terms, for collections that are searched by likeness."""

from whence.db.migrations.sql import run_sql_beside

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    run_sql_beside(__file__)
