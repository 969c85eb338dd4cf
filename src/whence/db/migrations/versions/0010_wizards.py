"""Guided forms: runs and their answers."""

from whence.db.migrations.sql import run_sql_beside

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    run_sql_beside(__file__)
