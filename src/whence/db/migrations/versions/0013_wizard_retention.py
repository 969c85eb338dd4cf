"""Guided forms that are over: kept for a while, then removed with their answers."""

from whence.db.migrations.sql import run_sql_beside

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    run_sql_beside(__file__)
