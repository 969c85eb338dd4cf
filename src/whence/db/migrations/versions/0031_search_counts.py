"""Counts of terms, for collections that are searched by likeness."""

from whence.db.migrations.sql import run_sql_beside

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    run_sql_beside(__file__)
